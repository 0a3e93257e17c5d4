/** What slips of free text have in common. */

import { isLineFault } from "#core/errors.ts";

/**
 * Prints what an open slip holds, and closes it. Left open it would stand in the way of the next
 * receipt, so it is closed behind whatever goes wrong too, but for a fault of the line: nothing may
 * be sent behind that.
 * @param close closes it; throws what the device refuses, or a line fault
 * @throws what `print` throws, what `close` throws behind all of it, or a line fault
 */
export async function inOpenSlip(
  close: () => Promise<unknown>,
  print: () => Promise<void>,
): Promise<void> {
  try {
    await print();
  } catch (error) {
    if (!isLineFault(error)) await unlessLost(close);
    throw error;
  }
  await close();
}

/** Behind what went wrong it is no matter what the device says to it. @throws FiscalError a line fault */
async function unlessLost(close: () => Promise<unknown>): Promise<void> {
  try {
    await close();
  } catch (error) {
    if (isLineFault(error)) throw error;
  }
}

/**
 * A line as it stands on paper of so many columns: what does not fit goes on in the next one, at a blank
 * where there is one. What was asked to be printed is not cut without a word.
 * @param text as the device prints it
 * @returns one line at least, which may be empty
 */
export function folded(text: string, columns: number): string[] {
  // A printer that tells a line of less than one letter prints that letter, and no slip goes on for ever.
  const width = Math.max(1, columns);
  const lines: string[] = [];
  let rest = Array.from(text.trimEnd());
  while (rest.length > width) {
    const blank = rest.lastIndexOf(" ", width);
    const isBetween = rest.slice(0, Math.max(blank, 0)).some((letter) => letter !== " ");
    const end = isBetween ? blank : width;
    lines.push(rest.slice(0, end).join("").trimEnd());
    rest = Array.from(rest.slice(end).join("").trimStart());
  }
  return [...lines, rest.join("")];
}

/** Text in the middle of a line of so many letters. */
export function centred(text: string, width: number): string {
  const letters = Array.from(text).length;
  return " ".repeat(Math.max(0, Math.floor((width - letters) / 2))) + text;
}
