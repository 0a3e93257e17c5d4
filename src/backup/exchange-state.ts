/**
 * Putting another state in the place of the one in a state directory. A note beside the database
 * keeps gateways from starting in the midst of it: done again, it ends what was begun.
 */

import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { damageNote } from "#db/connection.ts";
import { startsFile, stateFiles } from "../config/state-files.ts";
import { flush, flushAll, makeFolder, writeDurably } from "../platform/durable-file.ts";
import { DATABASE_NAME } from "./manifest.ts";

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

/**
 * Exchanges them. The next start takes what came for a state that was put back from a copy, whatever
 * was counted beside it: the gateway of a new machine has hardly been started yet.
 * @returns the folder of the old state; undefined where there was none
 * @throws the system's error; then it has to be done again
 */
export function exchangeState(exchange: Exchange): string | undefined {
  const { stateDir, by, database, files, now, replaces = () => false } = exchange;
  const { database: place } = stateFiles(stateDir);
  const note = damageNote(place);
  const old = readdirSync(stateDir).filter(
    (name) => replaces(name) || (name.startsWith(DATABASE_NAME) && join(stateDir, name) !== note),
  );
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  const aside = old.length === 0 ? undefined : join(stateDir, `fiscald.before-${by}-${stamp}`);
  writeDurably(note, `${new Date(now).toISOString()} a ${by} was broken off: run it again\n`);
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

function setStartsAside(stateDir: string, aside: string | undefined): void {
  const file = startsFile(stateDir);
  if (!existsSync(file)) return;
  // Copied, for it may be on another disk.
  if (aside !== undefined) writeDurably(join(aside, "starts"), readFileSync(file, "utf8"));
  rmSync(file);
  flush(dirname(file));
}
