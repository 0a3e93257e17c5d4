/**
 * Keeps the state directory its owner's alone. It holds password hashes, the secret that signs
 * logins, and every sale: nobody else on the machine may read it, whatever the umask that the
 * program was started with.
 */

import { chmodSync, lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { namesIn } from "../platform/names-in.ts";
import { errorText } from "../platform/thrown.ts";
import { isOwnFolder, isOwnName, startsFile, stateFiles } from "./state-files.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const PERMISSIONS = 0o777;
/** What group and others may do: nothing. */
const OTHERS_UMASK = 0o077;
/** What they may not do to names in a folder that is not ours alone: make, remove or replace any. */
const OTHERS_WRITE = 0o022;
/** In such a folder nobody can touch another one's names. */
const STICKY = 0o1000;
/** What a mode says beside the kind of file. */
const ALL_BITS = 0o7777;

/** Files that this process makes from now on are its owner's alone. */
export function makePrivateFiles(): void {
  process.umask(OTHERS_UMASK);
}

/**
 * Takes a state directory, what is ours in it, and the folder of its starts away from group and
 * others. A directory that holds other things too is not made for this program alone: it only
 * becomes one that others cannot write to, so that nobody is locked out of a home directory; `/tmp`
 * and its like stay as they are. Symbolic links are left alone, but for one to the database.
 * @returns what others may still read, with the reason; empty when all is private
 */
export function makePrivate(stateDir: string): readonly string[] {
  const left: string[] = [];
  const tighten = (path: string, mode?: number): void => {
    const fault = tightened(path, mode);
    if (fault !== undefined) left.push(fault);
  };
  const names = namesIn(stateDir);
  const foreign = names.find((name) => !isOwnName(name));
  if (foreign === undefined) tighten(stateDir);
  else {
    const mode = sharedMode(stateDir);
    if (mode !== undefined) tighten(stateDir, mode);
    if (isOpen(statusOf(stateDir))) left.push(`${stateDir}: it also holds ${foreign}`);
  }
  for (const name of names.filter(isOwnName)) {
    tighten(join(stateDir, name));
    if (!isOwnFolder(name)) continue;
    for (const inner of namesIn(join(stateDir, name))) tighten(join(stateDir, name, inner));
  }
  for (const path of linkedDatabase(stateDir)) tighten(path);
  const starts = startsFile(stateDir);
  for (const path of [dirname(starts), starts]) tighten(path);
  return left;
}

/**
 * What others may use of a state directory, which `makePrivate` takes from them; `but` it.
 * @returns names in it, and paths where a link leads to the database
 */
export function openNames(stateDir: string, but: readonly string[]): string[] {
  const own = namesIn(stateDir)
    .filter(
      (name) => isOwnName(name) && !but.includes(name) && isOpen(statusOf(join(stateDir, name))),
    )
    .sort();
  return [...own, ...linkedDatabase(stateDir).filter((path) => isOpen(statusOf(path)))];
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

/** What a folder that others use too should be; undefined when it may stay as it is. */
function sharedMode(folder: string): number | undefined {
  const mode = statusOf(folder)?.mode ?? 0;
  const isWritable = (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0;
  return isWritable ? mode & ~OTHERS_WRITE & ALL_BITS : undefined;
}

/**
 * @param mode in place of that of what is ours alone
 * @returns why a path could not be made private; undefined when it was, need not be, or is not there
 */
function tightened(path: string, mode?: number): string | undefined {
  const status = statusOf(path);
  if (!isOpen(status)) return undefined;
  try {
    chmodSync(path, mode ?? (status.isDirectory() ? FOLDER_MODE : FILE_MODE));
    return undefined;
  } catch (error) {
    return `${path}: ${errorText(error)}`;
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
