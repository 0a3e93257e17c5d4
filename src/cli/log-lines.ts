/** The log of the service: from the journal, or from a file that somebody keeps it in. */

import {
  type FileEnd,
  type FileEndLimits,
  readFileEnd,
  readOutputEnd,
} from "../platform/file-end.ts";
import { errorText } from "../platform/thrown.ts";
import { userName } from "../platform/user-name.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { typedLine } from "./shell-line.ts";

/** Where lines come from, how many of the newest, and how much may be held for them. */
export interface LogSource extends FileEndLimits {
  /** A file of the gateway's output; the journal of the service unless given. */
  readonly file?: string | undefined;
  /** The service whose journal it is; the gateway's unless given. */
  readonly unit?: string;
}

/** The newest lines, and what to say where there are more of those that were asked for. */
export interface NewestLines {
  readonly lines: readonly string[];
  readonly leftOut: string | undefined;
}

/** Arguments of `journalctl` for a service's own output: the gateway's unless given. */
export function journalWords(lines: number, unit = "fiscald"): string[] {
  return ["journalctl", `--unit=${unit}`, "--output=cat", "--no-pager", `--lines=${lines}`];
}

/** The journal is closed to this user; the message names the cure. */
export class JournalClosed extends CliFailure {
  constructor() {
    const cure = typedLine("root");
    super(EXIT.state, `${userName()} may not read the journal: ${cure}`);
  }
}

/**
 * What journalctl says to who is neither root nor in a group that reads the journal: as it ends, or beside
 * the lines of that user alone.
 */
const CLOSED = /insufficient permissions|not seeing messages from/;

const JOURNAL = "the journal";
const SAID_MAX = { lines: 10, bytesMax: 65_536 } as const;

/** @throws CliFailure with code 3 when they cannot be read */
export async function newestLines(source: LogSource): Promise<NewestLines> {
  const { file } = source;
  const end = file === undefined ? await journalEnd(source) : fileEnd(file, source);
  const name = file ?? JOURNAL;
  return { lines: end.lines, leftOut: end.isCut ? leftOutText(name, source, end) : undefined };
}

function fileEnd(file: string, limits: FileEndLimits): FileEnd {
  try {
    return readFileEnd(file, limits);
  } catch (error) {
    throw unreadable(error, "");
  }
}

function leftOutText(name: string, { lines, bytesMax }: LogSource, end: FileEnd): string {
  const read = `only the newest ${bytesMax / 1_048_576} MiB of ${name} were read`;
  return `${read}: they have ${end.lines.length} of the ${lines} lines, what is older is left out`;
}

async function journalEnd(limits: LogSource): Promise<FileEnd> {
  try {
    const words = journalWords(limits.lines, limits.unit);
    const { stdout, stderr, exited } = Bun.spawn(words, { stderr: "pipe" });
    const [end, { lines: said }, exitCode] = await Promise.all([
      readOutputEnd(JOURNAL, stdout, limits),
      readOutputEnd("what journalctl says", stderr, SAID_MAX),
      exited,
    ]);
    const isNothing = exitCode !== 0 || end.lines.length === 0;
    if (isNothing && said.some((line) => CLOSED.test(line))) throw new JournalClosed();
    if (exitCode === 0) return end;
    throw new Error(said.join("\n").trim() || `journalctl ended with ${exitCode}`);
  } catch (error) {
    if (error instanceof JournalClosed) throw error;
    throw unreadable(error, "; name the file it is kept in with --file");
  }
}

function unreadable(error: unknown, cure: string): CliFailure {
  const reason = errorText(error);
  const message = `the log cannot be read: ${reason}${cure}`;
  return new CliFailure(EXIT.state, message, { cause: error });
}

/** A line as a person reads it: time, level, sentence, fields. Others stay as they are. */
export function readable(line: string): string {
  const fields = fieldsOf(line);
  if (fields === undefined) return line;
  const { time, level, msg, ...rest } = fields;
  const shown = Object.entries(rest).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name}=${/[\s"]/.test(text) ? JSON.stringify(text) : text}`;
  });
  const head = [
    String(time ?? ""),
    String(level ?? "")
      .toUpperCase()
      .padEnd(5),
    String(msg ?? ""),
  ];
  return [...head, ...shown].join(" ");
}

/** The fields of a line of the log; undefined for what is none. */
export function fieldsOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const fields: unknown = JSON.parse(line);
    return typeof fields === "object" && fields !== null && "msg" in fields
      ? { ...fields }
      : undefined;
  } catch {
    return undefined;
  }
}
