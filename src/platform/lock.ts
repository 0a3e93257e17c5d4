/**
 * One process per state directory.
 *
 * The lock is an exclusive SQLite transaction on an empty file, which SQLite builds on the record
 * locks of the operating system: the kernel lets go of it when the process ends, however it ends,
 * so neither SIGKILL nor a power cut leaves a lock behind. A file that only holds a process id
 * could not tell a dead holder from a stranger that was given the same id. The id is written
 * beside the lock all the same, for people.
 *
 * Record locks have a trap: a process loses them when it closes any handle on the locked file. So
 * nothing else may ever open that file, and the process id stands in a file of its own.
 */

import { Database, SQLiteError } from "bun:sqlite";
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./durable-file.ts";

/** In the state directory; made by the first process that works on it. */
export const LOCK_FILE = "fiscald.lock";
/** Beside it: the process that holds it, for people. */
export const PID_FILE = "fiscald.pid";

/** Another process works on the state directory. */
export class StateLocked extends Error {
  override readonly name = "StateLocked";
  /** The holder's process id; undefined when it has not written it yet. */
  readonly holderPid: number | undefined;

  constructor(directory: string, holderPid: number | undefined) {
    const holder = holderPid === undefined ? "another process" : `process ${holderPid}`;
    // The way back from an upgrade, also that of other versions, knows it by "is in use by".
    super(`the state directory ${directory} is in use by ${holder}`);
    this.holderPid = holderPid;
  }
}

/**
 * The open handles. A handle that nothing refers to is closed by the garbage collector, and the
 * lock would go with it while its holder works on.
 */
const openHandles = new Set<Database>();

/** The name of the lock file leads to another file, or nowhere: a second process may get a lock too. */
export class LockRemoved extends Error {
  override readonly name = "LockRemoved";

  constructor(file: string) {
    super(`${file} was removed or replaced: another process may work on the same state`);
  }
}

/** A held lock. */
export interface StateLock {
  /** Whether it still keeps others away. @returns what is wrong; undefined when nothing is */
  look(): LockRemoved | undefined;
  /** Lets go. Safe to call twice. */
  release(): void;
  /** Lets go, and removes what taking the lock has made, where there was nothing before. */
  withdraw(): void;
}

/**
 * Takes the state directory for this process, making the directory if need be (mode 0700).
 * @throws StateLocked when another process has it
 * @throws the system's or SQLite's error when the directory cannot be made or written
 */
export function lockStateDirectory(directory: string, pid: number = process.pid): StateLock {
  const isNewFolder = !existsSync(directory);
  makeFolder(directory);
  // Asked beforehand because SQLite's own message does not tell what is missing.
  accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  const pidFile = join(directory, PID_FILE);
  const file = join(directory, LOCK_FILE);
  const isNewFile = !existsSync(file);
  const database = seizedFile(file, directory);
  let locked: string;
  try {
    // Asks for the name alone: the file itself must not be opened again.
    locked = identityOf(file);
    writeFileSync(pidFile, `${pid}\n`);
  } catch (error) {
    database.close();
    throw error;
  }
  openHandles.add(database);
  const look = () => (identityOf(file) === locked ? undefined : new LockRemoved(file));
  const release = (): void => {
    if (!openHandles.delete(database)) return;
    // The file goes first: after the lock is gone it may be the next holder's.
    if (look() === undefined) rmSync(pidFile, { force: true });
    database.close();
  };
  return {
    look,
    release,
    withdraw: () => {
      // While it is held: whoever comes then makes a file of his own.
      if (isNewFile && openHandles.has(database) && look() === undefined) {
        for (const path of [pidFile, file]) rmSync(path, { force: true });
      }
      release();
      if (isNewFolder && readdirSync(directory).length === 0) rmdirSync(directory);
    },
  };
}

/**
 * Asks whether a state directory is free, and neither makes nor changes anything in it. This process
 * must not hold its lock, which would be lost.
 * @throws StateLocked when another process has it
 * @throws SQLite's error when the lock cannot be read
 */
export function requireUnlocked(directory: string): void {
  const file = join(directory, LOCK_FILE);
  if (!existsSync(file)) return;
  const database = new Database(file, { create: false, readwrite: true });
  try {
    seize(database, directory);
  } catch (error) {
    if (!isJunk(error)) throw error;
  } finally {
    database.close();
  }
}

/** The lock file, opened and locked. */
function seizedFile(file: string, directory: string): Database {
  const open = () => new Database(file, { create: true, readwrite: true });
  let database = open();
  try {
    try {
      seize(database, directory);
    } catch (error) {
      if (!isJunk(error)) throw error;
      database.close();
      truncateSync(file);
      database = open();
      seize(database, directory);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What a name leads to; empty when that is nothing. */
function identityOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? "" : `${status.dev}:${status.ino}`;
}

function seize(database: Database, directory: string): void {
  try {
    database.run("PRAGMA busy_timeout = 0");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    if (isBusy(error)) throw new StateLocked(directory, readPid(join(directory, PID_FILE)));
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}

/**
 * True where the file holds what SQLite cannot read, as after a power cut. There is nothing in it that
 * counts, and nobody has it: who did would have been met before anything of it was read.
 */
function isJunk(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code ?? "");
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** True while another process has the state directory. @throws as `requireUnlocked`, but for that */
export function isLocked(directory: string): boolean {
  try {
    requireUnlocked(directory);
    return false;
  } catch (error) {
    if (error instanceof StateLocked) return true;
    throw error;
  }
}
