/** The backups in a folder: their names, which of them are kept, and what the last one came to. */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { schemaCheckOf } from "#core/schema-check.ts";
import { stateFiles } from "../config/state-files.ts";
import { writeDurably } from "../platform/durable-file.ts";
import { freePath } from "../platform/file-stamp.ts";
import { unmarkedMaker } from "./maker.ts";

/** Only a backup that was verified has such a name; before that `.part` follows. */
const NAME =
  /^fiscald-([a-z0-9-]{1,63})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(-by-hand)?\.tar\.gz\.age$/;
const UNFINISHED = ".part";
/** So many of those that a person had made stay, whatever their day: one is wanted when all goes wrong. */
const BY_HAND_KEPT = 5;
const DAY_MS = 86_400_000;

/** A backup that lies in a folder. */
export interface KeptBackup {
  readonly name: string;
  readonly path: string;
  /** Whose it is, as `makerOf` says; of an earlier version, the machine's name alone. */
  readonly maker: string;
  /** UTC milliseconds, to the second. */
  readonly createdAt: number;
  /** A person had it made, and not the gateway by itself. */
  readonly isByHand: boolean;
  readonly bytes: number;
}

/** What a backup's name tells. */
export interface NameParts {
  /** As `makerOf` says. */
  readonly maker: string;
  /** UTC milliseconds. */
  readonly at: number;
  readonly isByHand: boolean;
}

/** Name for a backup that none in the folder has. @throws the system's error */
export function backupName(folder: string, { maker, at, isByHand }: NameParts): string {
  const suffix = `${isByHand ? "-by-hand" : ""}.tar.gz.age`;
  return basename(freePath(at, (stamp) => join(folder, `fiscald-${maker}-${stamp}${suffix}`)));
}

/** What it is called until it was verified. */
export function unfinishedName(name: string): string {
  return `${name}${UNFINISHED}`;
}

/** The backups in a folder, newest first; none where there is no such folder. */
export function listBackups(folder: string): KeptBackup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name): KeptBackup[] => {
      const [, maker = "", ...rest] = NAME.exec(name) ?? [];
      const path = join(folder, name);
      const status = maker === "" ? undefined : statSync(path, { throwIfNoEntry: false });
      if (status === undefined) return [];
      const [year, month, day, hour, minute, second] = rest.slice(0, 6).map(Number);
      const createdAt = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
      const isByHand = rest[6] !== undefined;
      return [{ name, path, maker, createdAt, isByHand, bytes: status.size }];
    })
    .sort((left, right) => right.createdAt - left.createdAt);
}

/**
 * True for what is of the future: another clock made it, and it stands for no day.
 * @param createdAt and `now`: UTC milliseconds
 */
export function isAhead(createdAt: number, now: number): boolean {
  return createdAt - now > DAY_MS;
}

/** What `rotate` goes by. */
export interface Rotation {
  /** Whose are counted, as `makerOf` says. */
  readonly maker: string;
  /** Days of which one is kept. */
  readonly days: number;
  /** UTC milliseconds. */
  readonly now: number;
  /** Name of the one that was just made. */
  readonly made: string;
}

/**
 * Removes those of this maker that need not be kept. Of each day in UTC the newest stays, for so
 * many days on which there is one; what was made by hand is counted on its own, and its newest five
 * stay beside, so that none of one kind replaces one of the other. What was just made always stays,
 * and so does what is of the future.
 * @returns names of what was removed
 */
export function rotate(folder: string, rotation: Rotation): string[] {
  const { now, made } = rotation;
  const past = listBackups(folder).filter(({ createdAt }) => !isAhead(createdAt, now));
  const removed = [
    ...removable(
      past.filter(({ isByHand }) => !isByHand),
      { ...rotation, least: 0 },
    ),
    ...removable(
      past.filter(({ isByHand }) => isByHand),
      { ...rotation, least: BY_HAND_KEPT },
    ),
  ].filter(({ name }) => name !== made);
  for (const { path } of removed) rmSync(path, { force: true });
  return removed.map(({ name }) => name);
}

/** @param backups of one kind, newest first; `least` of them stay whatever their day */
function removable(
  backups: readonly KeptBackup[],
  { maker, days, least }: Rotation & { readonly least: number },
): KeptBackup[] {
  const own = backups.filter((backup) => backup.maker === maker);
  const ofDays = newestOfDays(own, days);
  const kept = new Set([...ofDays, ...own.slice(0, least)]);
  // Of an earlier version: ours, or another machine's of the same name. They go as ours would by their
  // age alone; the newest stays, which may be all that there is of the other one.
  const [, ...unmarked] = backups.filter((backup) => backup.maker === unmarkedMaker());
  const oldest = Math.min(...[...kept].map(({ createdAt }) => createdAt));
  const isFull = ofDays.length >= days && kept.size >= least;
  const outdated = unmarked.filter(({ createdAt }) => isFull && createdAt < oldest);
  return [...own.filter((backup) => !kept.has(backup)), ...outdated];
}

/** @param backups newest first */
function newestOfDays(backups: readonly KeptBackup[], days: number): KeptBackup[] {
  const seen = new Set<number>();
  return backups.filter(({ createdAt }) => {
    const day = Math.floor(createdAt / DAY_MS);
    if (seen.has(day) || seen.size >= days) return false;
    seen.add(day);
    return true;
  });
}

/**
 * Removes what backups of this maker left behind that were broken off. What has no mark may be
 * another machine's, and under way, unless it is a day old.
 * @param now UTC milliseconds
 */
export function discardUnfinished(folder: string, maker: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const finished = name.slice(0, -UNFINISHED.length);
    if (name !== unfinishedName(finished)) continue;
    const [, of] = NAME.exec(finished) ?? [];
    const path = join(folder, name);
    const isOld = (): boolean => {
      const status = statSync(path, { throwIfNoEntry: false });
      return status !== undefined && now - status.mtimeMs > DAY_MS;
    };
    if (of === maker || (of === unmarkedMaker() && isOld())) rmSync(path, { force: true });
  }
}

const Noted = Type.Union([
  Type.Object({
    /** Path of the file. */
    file: Type.String(),
    bytes: Type.Integer(),
    /** ISO 8601: the moment that it is of. */
    createdAt: Type.String(),
  }),
  Type.Null(),
]);
const Outcome = Type.Object({
  /** The last one that was verified, wherever it went. */
  last: Noted,
  /** The last one that went to the usual place. Notes of older versions lack it. */
  usual: Type.Optional(Noted),
  /** Path of the last one that holds the authority which tills trust; absent where none is known. */
  authority: Type.Optional(Type.String()),
  /** The gateway's last attempt, where that failed: it was not made, or not brought elsewhere. */
  failed: Type.Union([Type.Object({ at: Type.String(), reason: Type.String() }), Type.Null()]),
});

/**
 * What the last backups came to. It lies beside the database and not in it: it has to be read when
 * the database cannot be, and a restored state must not forget it.
 */
export type BackupOutcome = Readonly<Static<typeof Outcome>> & {
  readonly usual: Static<typeof Noted>;
};

/** Nothing where no backup was made, or the note cannot be read. */
export function readOutcome(stateDir: string): BackupOutcome {
  try {
    const value: unknown = JSON.parse(readFileSync(stateFiles(stateDir).backupRecord, "utf8"));
    if (schemaCheckOf(Outcome).accepts(value)) return { usual: value.last, ...value };
  } catch {
    // As if there were none.
  }
  return { last: null, usual: null, failed: null };
}

/** Notes what a backup came to; what is not given stays. @throws the system's error */
export function noteOutcome(stateDir: string, change: Partial<BackupOutcome>): void {
  const outcome: BackupOutcome = { ...readOutcome(stateDir), ...change };
  writeDurably(stateFiles(stateDir).backupRecord, `${JSON.stringify(outcome)}\n`);
}
