/** Files and folders that outlive a power cut, as a whole or not at all. */

import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorCode } from "./thrown.ts";

/** What only its owner may read. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Has a file, or the names in a folder, written to the disk. @throws the system's error */
export function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Where a file system has no such call, for folders as a rule, it writes in its own way: `man 2 fsync`.
    if (errorCode(error) !== "EINVAL") throw error;
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

/** Who may do what with a file, and whose it is: this process's unless given. */
export interface FileOwner {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Replaces a file by a text: whoever looks finds the one or the other, as a file of the right owner and mode.
 * Where it cannot be, the file that is there stays, and nothing is left beside it.
 * @param like whose it becomes; this process's and readable to its owner alone unless given
 * @throws the system's error
 */
export function writeDurably(
  file: string,
  text: string,
  like: FileOwner = { mode: PRIVATE_FILE },
): void {
  const unfinished = `${file}.part`;
  // What was left behind may be another user's, or a link that whoever has the folder laid out for root.
  rmSync(unfinished, { force: true });
  try {
    writeNew(unfinished, text, like);
    putInPlace(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** By its descriptor, for its name may lead elsewhere by now. It never is more open than it is going to be. */
function writeNew(file: string, text: string, { mode, uid, gid }: FileOwner): void {
  const descriptor = openSync(file, "wx", PRIVATE_FILE);
  try {
    const made = fstatSync(descriptor);
    // Root may write for the service's user, who has to read it.
    const [owner, group] = [uid ?? made.uid, gid ?? made.gid];
    if (owner !== made.uid || group !== made.gid) fchownSync(descriptor, owner, group);
    fchmodSync(descriptor, mode & 0o777);
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes a folder and those above it that are missing, open to their owner alone. It outlives a power
 * cut when this returns: else all that is made in it would be lost with its name.
 * @throws the system's error
 */
export function makeFolder(path: string): void {
  const wanted = resolve(path);
  const missing: string[] = [];
  for (let above = wanted; !existsSync(above); above = dirname(above)) missing.push(above);
  mkdirSync(wanted, { recursive: true, mode: PRIVATE_FOLDER });
  for (const made of missing) flush(dirname(made));
}

/** Has everything in a folder written to the disk, with its names. @throws the system's error */
export function flushAll(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) flushAll(path);
    else if (entry.isFile()) flush(path);
  }
  flush(folder);
}
