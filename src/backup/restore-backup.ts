/**
 * Putting a backup in the place of a state directory's state: everything is unpacked and proven
 * beside it first.
 */

import { existsSync, lstatSync, rmSync } from "node:fs";
import { openDamaged, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { removeForeign } from "#db/own-schema.ts";
import { madeSince } from "#db/snapshot.ts";
import { createStores } from "#db/stores/index.ts";
import { isBackedUp, stateFiles } from "../config/state-files.ts";
import { exchangeState, undoBrokenExchange } from "./exchange-state.ts";
import type { Manifest } from "./manifest.ts";
import { BackupDamaged, filesFolder, openBackup, openBareDatabase } from "./open-backup.ts";

export interface RestoreRequest {
  /** Path of the backup. */
  readonly file: string;
  /** Must be this process's: locked. */
  readonly stateDir: string;
  /** Absent of a bare database. */
  readonly passphrase: string | undefined;
  /** UTC milliseconds. */
  readonly now: number;
}

/** What the restored state holds, and what is known to have happened since. */
export interface Findings {
  /** Commands that wait for their turn. */
  readonly waiting: number;
  /** Commands that a printer had been sent. */
  readonly underWay: number;
  /** Documents of which a person has to say whether they were printed. */
  readonly unsettled: number;
  readonly printers: readonly string[];
  /** Organizations that somebody has registered. */
  readonly shops: number;
  /** There is none, and what is stored is of one. */
  readonly isShopLost: boolean;
  /** What the database held that no version of fiscald makes, and was left out, as `trigger evil`. */
  readonly foreign: readonly string[];
  /** Tables that are not as fiscald makes them, as `table commands`. */
  readonly altered: readonly string[];
  /** What the old state has had since; null where there was none that can be read. */
  readonly since: { readonly commands: number; readonly receipts: number } | null;
}

export interface RestoredState {
  readonly manifest: Manifest;
  /** Folder that the old state was put into; undefined where there was none. */
  readonly aside: string | undefined;
  readonly findings: Findings;
}

/** It cannot be restored there; nothing was changed. */
export class RestoreRefused extends Error {
  override readonly name = "RestoreRefused";
}

/**
 * Restores a backup. The next start of a gateway takes the state for one that was put back from a
 * copy, and holds each printer until it has told what it printed last.
 * @throws RestoreRefused, WrongPassphrase, NotDecipherable, BackupDamaged or SchemaMismatch, and
 * nothing was changed then; or the system's error
 */
export async function restoreBackup(request: RestoreRequest): Promise<RestoredState> {
  const { file, stateDir, passphrase, now } = request;
  const { database, restoreWork: work } = stateFiles(stateDir);
  if (lstatSync(database, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new RestoreRefused(`${database} is a link: restore into a folder without one`);
  }
  rmSync(work, { recursive: true, force: true });
  try {
    const opened =
      passphrase === undefined
        ? openBareDatabase(file, work)
        : await openBackup(file, passphrase, work);
    // What the old state knows counts among what is found.
    undoBrokenExchange(stateDir);
    const findings = prepare(opened.database, { stateDir, now, manifest: opened.manifest });
    // A bare database brings neither settings nor profiles.
    const replaces = passphrase === undefined ? {} : { replaces: isBackedUp };
    const aside = exchangeState({
      ...{ stateDir, now, by: "restore", database: opened.database },
      ...{ files: filesFolder(work), ...replaces },
    });
    // What came holds the keys of HTTPS too, where there were any.
    if (passphrase !== undefined) rmSync(stateFiles(stateDir).tlsRestore, { force: true });
    return { manifest: opened.manifest, aside, findings };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Surroundings {
  readonly stateDir: string;
  readonly now: number;
  readonly manifest: Manifest;
}

/** Brings the unpacked database to this version's schema, and looks at it. */
function prepare(file: string, { stateDir, now, manifest }: Surroundings): Findings {
  if (manifest.schema === "") throw new BackupDamaged("the database is none of fiscald");
  const database = openDatabase(file);
  try {
    // Before anything is written there: a trigger is others' code.
    const { removed: foreign, altered } = removeForeign(database, { tables: true });
    migrate(database, now);
    const { commands, outcomeHolds, devices, organizations } = createStores(database);
    const unfinished = commands.listUnfinished();
    const waiting = unfinished.filter(({ status }) => status === "pending").length;
    return {
      waiting,
      underWay: unfinished.length - waiting,
      unsettled: outcomeHolds.listOpen().length,
      ...{ foreign, altered },
      ...{ shops: organizations.list().length, isShopLost: organizations.areLost() },
      printers: devices.listAll().map(({ name }) => name),
      since: sinceIn(stateFiles(stateDir).database, Date.parse(manifest.createdAt)),
    };
  } finally {
    database.close();
  }
}

function sinceIn(file: string, at: number): Findings["since"] {
  if (!existsSync(file)) return null;
  let old: ReturnType<typeof openDamaged> | undefined;
  try {
    // It is read alone, also where a restore that was broken off has left its note.
    old = openDamaged(file);
    return madeSince({ sqlite: old }, at);
  } catch {
    // Damaged, which may be why it is replaced.
    return null;
  } finally {
    old?.close();
  }
}
