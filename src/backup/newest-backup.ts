/** Which backup is the newest of this gateway: one rule, for whoever names it or measures by it. */

import { dirname } from "node:path";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { isAhead, type KeptBackup, listBackups, readOutcome } from "./kept-backups.ts";
import { isOwnMaker, unmarkedMaker } from "./maker.ts";
import { placeFolder } from "./place.ts";

/** The settings that tell where the backups of a gateway lie. */
export type BackupHome = Pick<Config, "state.dir" | "backup.to">;

/** A backup that can be put back. */
export interface GoodBackup {
  /** Path of the file. */
  readonly file: string;
  /** UTC milliseconds: the moment that it is of. */
  readonly createdAt: number;
}

/**
 * The newest backup in a folder that this gateway made; undefined where there is none.
 * @param stateDir whose they are
 * @param now UTC milliseconds
 * @throws the system's error
 */
export function newestOwn(folder: string, stateDir: string, now: number): KeptBackup | undefined {
  return newestOf(listBackups(folder), stateDir, now);
}

/**
 * One from the future was made while the clock was wrong, and is of an unknown day. One without a mark
 * may be another machine's of the same name: it counts where there is none with this gateway's.
 * @param kept newest first
 */
function newestOf(
  kept: readonly KeptBackup[],
  stateDir: string,
  now: number,
): KeptBackup | undefined {
  const own = kept.filter(
    ({ maker, createdAt }) => isOwnMaker(maker, stateDir) && !isAhead(createdAt, now),
  );
  return own.find(({ maker }) => maker !== unmarkedMaker()) ?? own[0];
}

/** What is known of backups of this gateway that can be put back. */
export interface GoodBackups {
  /** The newest one that is there; undefined where there is none. */
  readonly there: GoodBackup | undefined;
  /**
   * The one that was made last, where that is newer and not there now, as on a stick that was pulled
   * out, or that gave way to another one of its name.
   */
  readonly away: GoodBackup | undefined;
}

/**
 * The folders to look for them in: where they usually go, that of the state directory, and where one
 * was last made.
 */
export function foldersToSearch(home: BackupHome): readonly string[] {
  const stateDir = home["state.dir"];
  const usual = seen(() => [placeFolder(home["backup.to"], stateDir)]) ?? [];
  const { last } = readOutcome(stateDir);
  const noted = last === null ? [] : [dirname(last.file)];
  return [...new Set([...usual, stateFiles(stateDir).backups, ...noted])];
}

/**
 * Looks for them there.
 * @param now UTC milliseconds
 * @param keptIn what lies in a folder, newest first; nothing where it cannot be looked at
 */
export function goodBackups(
  home: BackupHome,
  now: number,
  keptIn: (folder: string) => readonly KeptBackup[],
): GoodBackups {
  const stateDir = home["state.dir"];
  const { backups } = stateFiles(stateDir);
  const all = foldersToSearch(home).map(keptIn);
  const own = all
    .map((kept) => newestOf(kept, stateDir, now))
    .filter((backup) => backup !== undefined);
  // Nobody but this gateway keeps any in its own folder, whatever it was called, or the clock said.
  const found = own.length > 0 ? own : keptIn(backups).slice(0, 1);
  const [newest] = found.map(asGood).sort((left, right) => right.createdAt - left.createdAt);
  const { last } = readOutcome(stateDir);
  if (last === null) return { there: newest, away: undefined };
  // The note tells which was made last, also where the clock was ahead then.
  const noted = { file: last.file, createdAt: Date.parse(last.createdAt) };
  const isNewer = newest === undefined || newest.createdAt <= noted.createdAt || own.length === 0;
  if (!isNewer) return { there: newest, away: undefined };
  return all.flat().some(({ path }) => path === noted.file)
    ? { there: noted, away: undefined }
    : { there: newest, away: noted };
}

/** Nothing in a place that is gone or closed to this user, which whoever makes backups is told of. */
function seen<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function asGood({ path, createdAt }: KeptBackup): GoodBackup {
  return { file: path, createdAt };
}
