/** Lines of text above and below a receipt. */

import { FiscalError } from "#core/errors.ts";

/** What a device has room for. */
interface Room {
  readonly lines: number;
  /** Characters that fit on its paper. */
  readonly columns: number;
}

/**
 * A shop's name on every receipt is not cut without a word.
 * @param texts as the device prints them: letters that it lacks may be written out with more of them,
 *   and marks without a letter take no room
 * @throws FiscalError E400 when there are more lines than the device has room for, or longer ones
 */
export function requireRoom(name: string, texts: readonly string[], room: Room): void {
  if (texts.length > room.lines) {
    throw new FiscalError("E400", `${name}: this device has ${room.lines} lines`);
  }
  const long = texts.findIndex((text) => Array.from(text.trimEnd()).length > room.columns);
  if (long < 0) return;
  const most = `its paper is ${room.columns} characters wide`;
  throw new FiscalError("E400", `${name}.${long}: longer than a line of this device: ${most}`);
}

/** The lines without the blank ones at the end. */
export function withoutBlankEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}
