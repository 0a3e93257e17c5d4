/** Lines above and below receipts, as they are typed. */

/** The lines of a text; blank ones at its end are none. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}

/** Each line in the middle of the paper. @param columns characters of a line */
export function centred(text: string, columns: number): string {
  return linesOf(text)
    .map((line) => line.trim())
    .map((line) => " ".repeat(Math.max(0, Math.floor((columns - line.length) / 2))) + line)
    .join("\n");
}

/** The first line that is too long, from 1. */
export function tooLong(text: string, columns: number): number | undefined {
  const at = linesOf(text).findIndex((line) => line.length > columns);
  return at < 0 ? undefined : at + 1;
}
