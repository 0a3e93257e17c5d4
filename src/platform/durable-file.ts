/** Files and folders that outlive a power cut, as a whole or not at all. */

import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

/** What only its owner may read. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

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

/** Whose a file is, and who may do what with it. */
export interface FileOwner {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Replaces a file by a text.
 * @param like whose it becomes; this process's and readable to its owner alone unless given
 * @throws the system's error
 */
export function writeDurably(file: string, text: string, like?: FileOwner): void {
  const unfinished = `${file}.part`;
  writeFileSync(unfinished, text, { mode: PRIVATE_FILE });
  // One that was left behind keeps the mode it had.
  chmodSync(unfinished, like === undefined ? PRIVATE_FILE : like.mode & 0o777);
  // Root may write for the service's user, who has to read it.
  if (like !== undefined && process.getuid?.() !== like.uid) {
    chownSync(unfinished, like.uid, like.gid);
  }
  putInPlace(unfinished, file);
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
