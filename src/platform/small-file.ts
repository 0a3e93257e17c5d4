/** Reading a file whole that is known to be small, wherever its name leads by now. */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const STEP_BYTES = 16_384;

/**
 * @returns its text
 * @throws the system's error, or an Error for what is larger or no file, as a device that never ends
 */
export function readSmallFile(path: string, bytesMax: number): string {
  const descriptor = openSync(path, "r");
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error(`${path} is no file`);
    // Not by its size alone: it may grow meanwhile, and one that the system makes up has none.
    const read = status.size > bytesMax ? undefined : readUpTo(descriptor, bytesMax);
    if (read === undefined) throw new Error(`${path} has more than ${bytesMax} bytes`);
    return read.toString("utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** @returns undefined where there is more */
function readUpTo(descriptor: number, bytesMax: number): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let length = 0; length <= bytesMax; ) {
    const part = Buffer.allocUnsafe(STEP_BYTES);
    const count = readSync(descriptor, part);
    if (count === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, count));
    length += count;
  }
  return undefined;
}
