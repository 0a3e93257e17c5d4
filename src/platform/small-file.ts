/** Reading a file whole that is known to be small, wherever its name leads by now. */

import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * @returns its text
 * @throws the system's error, or an Error for what is larger or no file, as a device that never ends
 */
export function readSmallFile(path: string, bytesMax: number): string {
  const descriptor = openSync(path, "r");
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error(`${path} is no file`);
    if (status.size > bytesMax) {
      throw new Error(`${path} has ${status.size} bytes, more than ${bytesMax}`);
    }
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}
