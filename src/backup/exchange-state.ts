/**
 * Putting another state in the place of the one in a state directory. A note beside the database
 * keeps gateways from starting in the midst of it: done again, it ends what was begun.
 */

import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { damageNote, openDatabase } from "#db/connection.ts";
import { createStores } from "#db/stores/index.ts";
import { startsFile, stateFiles } from "../config/state-files.ts";
import { flush, flushAll, makeFolder, writeDurably } from "../platform/durable-file.ts";
import { freePath } from "../platform/file-stamp.ts";
import { DATABASE_NAME } from "./manifest.ts";

/** The count of starts, in the folder of the old state. */
const STARTS_COPY = "starts";
const RECURSIVE = { recursive: true, force: true };

export interface Exchange {
  /** Must be this process's: locked. */
  readonly stateDir: string;
  /** What it is done for, which names the folder that the old state goes to. */
  readonly by: "restore" | "repair";
  /** Path of the database that comes; it is moved. */
  readonly database: string;
  /** Folder of which everything comes along; need not exist. */
  readonly files?: string;
  /** Names in the state directory that go, besides the database. */
  readonly replaces?: (name: string) => boolean;
  /** UTC milliseconds. */
  readonly now: number;
}

/** What SQLite says of a log that was to be folded into its database. */
interface Folded {
  /** 0 where all of it was. */
  readonly busy: number;
}

/**
 * Exchanges them. The next start takes what came for a state that was put back from a copy, whatever
 * was counted beside it, and whatever of that is lost in the database that comes: the note that says so
 * is written there behind all that was saved.
 * @returns the folder of the old state; undefined where there was none
 * @throws the system's error; then it has to be done again
 */
export function exchangeState(exchange: Exchange): string | undefined {
  const { stateDir, by, database, files, now, replaces = () => false } = exchange;
  const { database: place } = stateFiles(stateDir);
  const note = damageNote(place);
  const isNote = (name: string): boolean => name.startsWith(basename(note));
  const old = readdirSync(stateDir).filter(
    (name) => replaces(name) || (name.startsWith(DATABASE_NAME) && !isNote(name)),
  );
  notePutBack(database);
  const aside = old.length === 0 ? undefined : asideFolder(stateDir, by, now);
  writeDurably(note, noteText(exchange, aside));
  if (aside !== undefined) {
    makeFolder(aside);
    for (const name of old) renameSync(join(stateDir, name), join(aside, name));
    flush(aside);
  }
  setStartsAside(stateDir, aside);
  if (files !== undefined && existsSync(files)) {
    flushAll(files);
    for (const name of readdirSync(files)) renameSync(join(files, name), join(stateDir, name));
  }
  flush(database);
  renameSync(database, place);
  flush(stateDir);
  rmSync(note);
  flush(stateDir);
  return aside;
}

/**
 * The folder that what lay there goes to, which is not there yet.
 * @param by what is done, as in `Exchange`
 * @param now UTC milliseconds
 * @throws the system's error
 */
export function asideFolder(stateDir: string, by: Exchange["by"], now: number): string {
  return freePath(now, (stamp) => join(stateDir, `fiscald.before-${by}-${stamp}`));
}

/** @throws LogNotFolded, or the database's error, as on a full disk */
function notePutBack(file: string): void {
  const database = openDatabase(file);
  try {
    createStores(database).appliance.notePutBack();
    // The file alone is moved. Where the last one that closes a database cannot fold its log, SQLite does not tell.
    database.sqlite.pragma("busy_timeout = 0");
    const [folded] = database.sqlite.pragma("wal_checkpoint(TRUNCATE)") as readonly Folded[];
    if (folded?.busy !== 0) throw new LogNotFolded(file);
  } finally {
    database.close();
  }
}

/** Nothing was changed. */
class LogNotFolded extends Error {
  override readonly name = "LogNotFolded";
  readonly code = "EBUSY";

  constructor(file: string) {
    super(`the database that comes is not whole: its log could not be folded into it (${file})`);
  }
}

/** Where the note says that the old state goes. */
const OLD_STATE = /; the old state is in (fiscald\.before-[\w-]+)$/m;

function noteText({ by, now }: Exchange, aside: string | undefined): string {
  const old = aside === undefined ? "" : `; the old state is in ${basename(aside)}`;
  return `${new Date(now).toISOString()} a ${by} was broken off: run it again${old}\n`;
}

/**
 * Brings the old state back into its place where an exchange was broken off, so that another one finds
 * all of it: a database and its log that lie in two folders are no database. What had come already
 * goes; nobody has worked on it. The note stays until the next exchange is over.
 * @param stateDir must be this process's: locked
 * @throws the system's error; then it has to be done again
 */
export function undoBrokenExchange(stateDir: string): void {
  const note = damageNote(stateFiles(stateDir).database);
  if (!existsSync(note)) return;
  const [, name] = OLD_STATE.exec(readFileSync(note, "utf8")) ?? [];
  if (name === undefined) return;
  const aside = join(stateDir, name);
  if (!existsSync(aside)) return;
  for (const old of readdirSync(aside)) {
    // The copy of the count of starts: it has done its work.
    if (old === STARTS_COPY) continue;
    const place = join(stateDir, old);
    if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) rmSync(place, RECURSIVE);
    renameSync(join(aside, old), place);
  }
  flush(stateDir);
  rmSync(aside, RECURSIVE);
  flush(stateDir);
}

function setStartsAside(stateDir: string, aside: string | undefined): void {
  const file = startsFile(stateDir);
  if (!existsSync(file)) return;
  // Copied, for it may be on another disk.
  if (aside !== undefined) writeDurably(join(aside, STARTS_COPY), readFileSync(file, "utf8"));
  rmSync(file);
  flush(dirname(file));
}
