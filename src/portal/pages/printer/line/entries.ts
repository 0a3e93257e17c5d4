/** What passed on a line, as far as the page keeps it, and as the text that a technician takes along. */

import type { TraceEntry } from "../../../api/trace.ts";

/** As many are kept for the file. */
export const KEPT_MAX = 2_000;
/** As many of them are in the page. */
export const SHOWN_MAX = 200;

/** Kept entries, oldest first, with one more, or with one that comes again under its number. */
export function withEntries(
  kept: readonly TraceEntry[],
  fresh: readonly TraceEntry[],
): readonly TraceEntry[] {
  const all = new Map(kept.map((entry) => [keyOf(entry), entry]));
  for (const entry of fresh) all.set(keyOf(entry), entry);
  return [...all.values()].slice(-KEPT_MAX);
}

/** Numbers begin anew with each start of the gateway. */
export function keyOf({ number, at }: TraceEntry): string {
  return `${number} ${at}`;
}

/** What is looked for; an empty text and an empty way are everything. */
export interface LineFilter {
  readonly text: string;
  /** `out` is to the printer; `line` is what became of the line, `damaged` what is no whole frame. */
  readonly way: string;
}

export function matches(entry: TraceEntry, { text, way }: LineFilter): boolean {
  const wanted = text.trim().toLowerCase();
  return isOfWay(entry, way) && (wanted === "" || wordsOf(entry).includes(wanted));
}

function isOfWay(entry: TraceEntry, way: string): boolean {
  if (way === "") return true;
  if (entry.kind === "line") return way === "line" || way === "damaged";
  return way === "damaged" ? entry.isDamaged : entry.direction === way;
}

function wordsOf(entry: TraceEntry): string {
  const parts = entry.kind === "frame" ? [entry.name, entry.text, entry.hex] : [entry.event];
  return [...parts, entry.text].join(" ").toLowerCase();
}

const ARROWS = { out: "→", in: "←" } as const;

/** One line of the file for each, with the bytes below it. @param time of an instant, exactly */
export function asText(entries: readonly TraceEntry[], time: (at: string) => string): string {
  const lines = entries.flatMap((entry) => {
    const { at, text, times, lastAt } = entry;
    const more = times > 1 ? [`    x ${times}, ${time(lastAt)}`] : [];
    if (entry.kind === "line") return [`${time(at)} · ${entry.event} ${text}`, ...more];
    const head = `${time(at)} ${ARROWS[entry.direction]} ${entry.name}  ${text}`.trimEnd();
    return [head, ...more, `    ${entry.hex.replace(/(..)(?=.)/g, "$1 ")}`];
  });
  return `${lines.join("\n")}\n`;
}
