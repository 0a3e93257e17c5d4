/** Files that outlive a power cut, as a whole or not at all. */

import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Has a file, or the names in a folder, written to the disk. @throws the system's error */
export function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives a file its name once all of it is on the disk. @throws the system's error */
export function putInPlace(unfinished: string, file: string): void {
  flush(unfinished);
  renameSync(unfinished, file);
  flush(dirname(file));
}

/** Replaces a file by a text, readable to its owner alone. @throws the system's error */
export function writeDurably(file: string, text: string): void {
  const unfinished = `${file}.part`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  putInPlace(unfinished, file);
}
