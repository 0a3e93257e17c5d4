/** What slips of free text have in common. */

import { isLineFault } from "#core/errors.ts";

/**
 * Prints what an open slip holds. Left open it would stand in the way of the next receipt, so it is
 * closed behind whatever goes wrong, but for a fault of the line: nothing may be sent behind that.
 * @param close sends what closes it, whatever comes of that
 * @throws what `print` throws, or a line fault of `close`
 */
export async function inOpenSlip(
  print: () => Promise<void>,
  close: () => Promise<unknown>,
): Promise<void> {
  try {
    await print();
  } catch (error) {
    if (!isLineFault(error)) await close();
    throw error;
  }
}

/** Text in the middle of a line of so many letters. */
export function centred(text: string, width: number): string {
  const letters = Array.from(text).length;
  return " ".repeat(Math.max(0, Math.floor((width - letters) / 2))) + text;
}
