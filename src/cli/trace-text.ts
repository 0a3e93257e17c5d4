/** Entries of the line monitor as lines for a terminal. */

import type { Static } from "@sinclair/typebox";
import type { TraceLine } from "../modules/devices/trace-schema.ts";
import { harmless } from "./output.ts";

export type ShownLine = Static<typeof TraceLine>;

export interface TraceTextOptions {
  readonly hasColor: boolean;
  /** Show the bytes of each frame; those of a damaged one are always shown. */
  readonly showsHex: boolean;
}

const COLORS = { out: 36, in: 32, line: 33, damaged: 31, faint: 2 } as const;
type Color = keyof typeof COLORS;

const HEX_BYTES_PER_LINE = 32;
/** Where what belongs to a frame stands below it: under its name. */
const INDENT = " ".repeat(15);
const NAME_CHARACTERS = 26;

/** Makes the function that turns an entry into the lines to print, in the machine's local time. */
export function createTraceText(options: TraceTextOptions): (line: ShownLine) => string[] {
  let day = "";
  let latest = 0;
  const paint = (color: Color, text: string): string =>
    options.hasColor ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text;

  return (line) => {
    if (line.kind === "dropped") {
      return [paint("damaged", `${INDENT}${line.count} entries left out: read too slowly`)];
    }
    if (line.number <= latest) return [paint("faint", `${INDENT}${countText(line)}`)];
    latest = line.number;
    const at = new Date(line.at);
    const lines = dayText(at) === day ? [] : [paint("faint", `-- ${dayText(at)} --`)];
    day = dayText(at);
    const time = paint("faint", timeText(at));
    if (line.kind === "line") {
      const text = harmless(`${line.event} ${line.text}`.trimEnd());
      lines.push(`${time} ${paint("line", `· ${text}`)}`);
    } else {
      lines.push(`${time} ${frameText(line, paint)}`);
      if (options.showsHex || line.isDamaged) {
        lines.push(...hexLines(line).map((text) => paint("faint", `${INDENT}${text}`)));
      }
    }
    if (line.times > 1) lines.push(paint("faint", `${INDENT}${countText(line)}`));
    return lines;
  };
}

type Frame = Extract<ShownLine, { kind: "frame" }>;

function frameText(frame: Frame, paint: (color: Color, text: string) => string): string {
  const arrow = frame.direction === "out" ? "→" : "←";
  const name = harmless(frame.isDamaged ? `${frame.name}, ${frame.byteCount} bytes` : frame.name);
  const color = frame.isDamaged ? "damaged" : frame.direction;
  const text = harmless(frame.text);
  if (text === "") return paint(color, `${arrow} ${name}`);
  return `${paint(color, `${arrow} ${name.padEnd(NAME_CHARACTERS)}`)}  ${text}`;
}

function hexLines({ hex, byteCount }: Frame): string[] {
  const bytes = hex.match(/../g) ?? [];
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += HEX_BYTES_PER_LINE) {
    lines.push(bytes.slice(at, at + HEX_BYTES_PER_LINE).join(" "));
  }
  if (bytes.length < byteCount) lines.push(`… ${byteCount} bytes`);
  return lines;
}

function countText({ times, lastAt }: Exclude<ShownLine, { kind: "dropped" }>): string {
  return `${times} times, until ${timeText(new Date(lastAt))}`;
}

function timeText(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const ms = String(at.getMilliseconds()).padStart(3, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`;
}

function dayText(at: Date): string {
  const month = String(at.getMonth() + 1).padStart(2, "0");
  return `${at.getFullYear()}-${month}-${String(at.getDate()).padStart(2, "0")}`;
}
