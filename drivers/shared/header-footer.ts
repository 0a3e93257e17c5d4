/** Lines of text above and below a receipt. */

import { FiscalError } from "#core/errors.ts";
import { type CodePage, requireLetters, writtenText } from "./codepage.ts";

/** What a device has room for, and in which letters. */
interface Room {
  readonly lines: number;
  /** Characters that fit on its paper. */
  readonly columns: number;
  readonly codePage: CodePage;
  /** The line as the device prints it, where more than its code page makes it another one. */
  readonly written?: (text: string, field: string) => string;
}

/**
 * A shop's name on every receipt is not cut without a word, nor printed in question marks.
 * @param lines as they were typed: letters that the device lacks may be written out with more of them,
 *   and marks without a letter take no room
 * @returns them as the device prints them
 * @throws FiscalError E400 when there are more lines than the device has room for, or longer ones, or
 *   letters that it does not have
 */
export function requireRoom(name: string, lines: readonly string[], room: Room): string[] {
  const { columns, codePage, written = (text) => writtenText(text, codePage) } = room;
  if (lines.length > room.lines) {
    throw new FiscalError("E400", `${name}: this device has ${room.lines} lines`);
  }
  return lines.map((line, index) => {
    const field = `${name}.${index}`;
    requireLetters(field, line, codePage);
    const text = written(line, field);
    if (Array.from(text.trimEnd()).length <= columns) return text;
    const most = `its paper is ${columns} characters wide`;
    throw new FiscalError("E400", `${field}: longer than a line of this device: ${most}`);
  });
}

/** The lines without the blank ones at the end. */
export function withoutBlankEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}
