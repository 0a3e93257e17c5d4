/** The backups in a folder: their names, which of them are kept, and what the last one came to. */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { schemaCheckOf } from "#core/schema-check.ts";
import { stateFiles } from "../config/state-files.ts";
import { writeDurably } from "../platform/durable-file.ts";
import { fileStamp } from "../platform/file-stamp.ts";

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
  /** Machine that it was made on. */
  readonly host: string;
  /** UTC milliseconds, to the second. */
  readonly createdAt: number;
  /** A person had it made, and not the gateway by itself. */
  readonly isByHand: boolean;
  readonly bytes: number;
}

/**
 * Name for a backup made here, that none in the folder has: two within a second stand beside each
 * other.
 * @param at UTC milliseconds
 */
export function backupName(folder: string, at: number, isByHand: boolean): string {
  const stamp = fileStamp(at);
  const name = `fiscald-${hostWord()}-${stamp}${isByHand ? "-by-hand" : ""}.tar.gz.age`;
  return existsSync(join(folder, name)) ? backupName(folder, at + 1_000, isByHand) : name;
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
      const [, host = "", ...rest] = NAME.exec(name) ?? [];
      const path = join(folder, name);
      const status = host === "" ? undefined : statSync(path, { throwIfNoEntry: false });
      if (status === undefined) return [];
      const [year, month, day, hour, minute, second] = rest.slice(0, 6).map(Number);
      const createdAt = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
      const isByHand = rest[6] !== undefined;
      return [{ name, path, host, createdAt, isByHand, bytes: status.size }];
    })
    .sort((left, right) => right.createdAt - left.createdAt);
}

/** None in a folder that is closed to this user, which whoever makes backups is told of. */
function readableBackups(folder: string): KeptBackup[] {
  try {
    return listBackups(folder);
  } catch {
    return [];
  }
}

/**
 * Removes those of this machine that need not be kept. Of each day in UTC the newest stays, for so
 * many days on which there is one; what was made by hand is counted on its own, and its newest five
 * stay beside, so that none of one kind replaces one of the other.
 * @returns names of what was removed
 */
export function rotate(folder: string, days: number): string[] {
  const own = listBackups(folder).filter(({ host }) => host === hostWord());
  const byHand = own.filter(({ isByHand }) => isByHand);
  const kept = new Set([
    ...newestOfDays(
      own.filter(({ isByHand }) => !isByHand),
      days,
    ),
    ...newestOfDays(byHand, days),
    ...byHand.slice(0, BY_HAND_KEPT),
  ]);
  const removed = own.filter((backup) => !kept.has(backup));
  for (const { path } of removed) rmSync(path, { force: true });
  return removed.map(({ name }) => name);
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

/** Removes what backups of this machine left behind that were broken off. */
export function discardUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const finished = name.slice(0, -UNFINISHED.length);
    if (name === unfinishedName(finished) && NAME.exec(finished)?.[1] === hostWord()) {
      rmSync(join(folder, name), { force: true });
    }
  }
}

const Outcome = Type.Object({
  /** The last one that was verified. */
  last: Type.Union([
    Type.Object({
      /** Path of the file. */
      file: Type.String(),
      bytes: Type.Integer(),
      /** ISO 8601: the moment that it is of. */
      createdAt: Type.String(),
    }),
    Type.Null(),
  ]),
  /** The gateway's last attempt, where that failed: it was not made, or not brought elsewhere. */
  failed: Type.Union([Type.Object({ at: Type.String(), reason: Type.String() }), Type.Null()]),
});

/**
 * What the last backups came to. It lies beside the database and not in it: it has to be read when
 * the database cannot be, and a restored state must not forget it.
 */
export type BackupOutcome = Readonly<Static<typeof Outcome>>;

/** Nothing where no backup was made, or the note cannot be read. */
export function readOutcome(stateDir: string): BackupOutcome {
  try {
    const value: unknown = JSON.parse(readFileSync(stateFiles(stateDir).backupRecord, "utf8"));
    if (schemaCheckOf(Outcome).accepts(value)) return value;
  } catch {
    // As if there were none.
  }
  return { last: null, failed: null };
}

/** Notes what a backup came to; what is not given stays. @throws the system's error */
export function noteOutcome(stateDir: string, change: Partial<BackupOutcome>): void {
  const outcome: BackupOutcome = { ...readOutcome(stateDir), ...change };
  writeDurably(stateFiles(stateDir).backupRecord, `${JSON.stringify(outcome)}\n`);
}

/** Where the newest backup lies that is known here and still there; undefined where there is none. */
export function lastGoodBackup(stateDir: string): { file: string; createdAt: number } | undefined {
  const { last } = readOutcome(stateDir);
  const [newest] = readableBackups(stateFiles(stateDir).backups);
  const noted = last && { file: last.file, createdAt: Date.parse(last.createdAt) };
  if (noted && (newest === undefined || noted.createdAt >= newest.createdAt)) return noted;
  return newest && { file: newest.path, createdAt: newest.createdAt };
}

function hostWord(): string {
  const word = hostname()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return word.replace(/^-+|-+$/g, "").slice(0, 63) || "host";
}
