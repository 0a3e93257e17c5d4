/**
 * Keeps the state directory its owner's alone. It holds password hashes, the secret that signs
 * logins, and every sale: nobody else on the machine may read it, whatever the umask that the
 * program was started with.
 */

import { chmodSync, lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { join } from "node:path";
import { stateFiles } from "./state-files.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const PERMISSIONS = 0o777;
/** What group and others may do: nothing. */
const OTHERS_UMASK = 0o077;

/** What is ours in a state directory begins like this, or is one of these folders. */
const OWN_FILES = "fiscald.";
const OWN_FOLDERS: readonly string[] = ["drivers", "before-upgrade"];

/** Files that this process makes from now on are its owner's alone. */
export function makePrivateFiles(): void {
  process.umask(OTHERS_UMASK);
}

/**
 * Takes a state directory and what is ours in it away from group and others. A directory that holds
 * other things too is not made for this program alone: its own mode is left as it is, so that
 * nobody is locked out of a home directory or of `/tmp`. Symbolic links are left alone, but for one
 * to the database.
 * @returns what others may still read, with the reason; empty when all is private
 */
export function makePrivate(stateDir: string): readonly string[] {
  const left: string[] = [];
  const tighten = (path: string): void => {
    const fault = tightened(path);
    if (fault !== undefined) left.push(fault);
  };
  const names = namesIn(stateDir);
  const isOwn = (name: string) => name.startsWith(OWN_FILES) || OWN_FOLDERS.includes(name);
  const foreign = names.find((name) => !isOwn(name));
  if (foreign === undefined) tighten(stateDir);
  else if (isOpen(statusOf(stateDir))) left.push(`${stateDir}: it also holds ${foreign}`);
  for (const name of names.filter(isOwn)) {
    tighten(join(stateDir, name));
    if (!OWN_FOLDERS.includes(name)) continue;
    for (const inner of namesIn(join(stateDir, name))) tighten(join(stateDir, name, inner));
  }
  for (const path of linkedDatabase(stateDir)) tighten(path);
  return left;
}

/** The database's files where the state directory only has a link to them. */
function linkedDatabase(stateDir: string): string[] {
  const { database } = stateFiles(stateDir);
  if (statusOf(database)?.isSymbolicLink() !== true) return [];
  try {
    const real = realpathSync(database);
    return [real, `${real}-wal`, `${real}-shm`];
  } catch {
    // It leads to nothing: opening the database will tell.
    return [];
  }
}

/** @returns why a path is still open to others; undefined when it is not, or is not there */
function tightened(path: string): string | undefined {
  const status = statusOf(path);
  if (!isOpen(status)) return undefined;
  try {
    chmodSync(path, status.isDirectory() ? FOLDER_MODE : FILE_MODE);
    return undefined;
  } catch (error) {
    return `${path}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** True for a file or folder that group or others may use. */
function isOpen(status: Stats | undefined): status is Stats {
  if (status === undefined || !(status.isFile() || status.isDirectory())) return false;
  return (status.mode & PERMISSIONS & OTHERS_UMASK) !== 0;
}

function statusOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Names in a folder; none where it cannot be listed, as one that is another user's. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
