/** Lines of text above and below a receipt. */

import { FiscalError } from "#core/errors.ts";

/** @throws FiscalError E400 when there are more lines than the device has room for */
export function requireRoom(name: string, lines: readonly string[], most: number): void {
  if (lines.length > most) throw new FiscalError("E400", `${name}: this device has ${most} lines`);
}

/** The lines without the blank ones at the end. */
export function withoutBlankEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}
