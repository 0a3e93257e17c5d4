/** `fiscald migrate`: brings the database to this version's schema without serving. */

import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { openDatabase } from "#db/connection.ts";
import { migrate, SchemaMismatch } from "#db/migrate.ts";
import { type Findings, removeForeign } from "#db/own-schema.ts";
import { isDamage } from "#db/snapshot.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { hasDatabase, putBackRescued } from "../app/database-loss.ts";
import { StartCount } from "../app/start-count.ts";
import type { BackupHome } from "../backup/newest-backup.ts";
import { loadConfig } from "../config/load-config.ts";
import { makePrivateFiles } from "../config/private-state.ts";
import { stateFiles } from "../config/state-files.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog, type Log } from "../platform/log.ts";
import { errorCode } from "../platform/thrown.ts";
import { damagedFailure } from "./damaged-text.ts";
import { CliFailure, describeFailure, EXIT } from "./exit.ts";
import { printLine } from "./output.ts";
import { requireRightState } from "./service-state.ts";
import { addSettings, configRequest, nextLine } from "./settings-options.ts";
import { requireDatabase, requireShop, setUpIfNew, takeStateDirectory } from "./state.ts";

/** What SQLite says of a statement. Source: https://sqlite.org/rescode.html */
const UNFIT = /^SQLITE_(ERROR|CONSTRAINT|MISMATCH|SCHEMA|TOOBIG)/;

export function migrateCommand(): Command {
  const command = new Command("migrate")
    .description("bring the database to this version's schema (serve does it too)")
    .addOption(
      // How every kind of upgrade finds out whether this version can, before it replaces the former one.
      new Option(
        "--try <FOLDER>",
        "bring a copy in that folder to it, and change nothing",
      ).hideHelp(),
    );
  return addSettings(command, ["state.dir"]).action((options: { readonly try?: string }) => {
    const request = configRequest(command);
    const { config } = loadConfig(request);
    const stateDir = config["state.dir"];
    requireRightState(command);
    if (options.try !== undefined) {
      tryOnCopy(requireDatabase(command, stateDir), options.try);
      printLine("a copy of the database came to this version's schema");
      return;
    }
    const lock = takeStateDirectory(stateDir);
    try {
      const written = setUpIfNew(stateDir, request);
      if (written !== undefined) printLine(`wrote ${written}, with limits for one shop`);
      const { removed, remade, altered, applied: names } = migrateOwn(config);
      for (const name of removed) printLine(`removed the ${name}, which fiscald has not made`);
      for (const name of remade) printLine(`made the ${name} anew, which was gone`);
      for (const name of altered) {
        printLine(`the ${name} is not as fiscald makes it: ${nextLine(command, "repair")}`);
      }
      for (const name of names) printLine(`applied ${name}`);
      if (names.length === 0) printLine("the database is up to date");
    } finally {
      lock.release();
    }
  });
}

/** As `migrateFile`. @throws CliFailure with code 5 for a database of another version, and as that does */
function migrateOwn(home: BackupHome): ReturnType<typeof migrateFile> {
  try {
    return migrateFile(home);
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    // What goes back from an upgrade needs to know it from damage.
    throw new CliFailure(EXIT.unfit, describeFailure(error).message, { cause: error });
  }
}

/**
 * Brings a copy to this version's schema, and removes it again.
 * @param file database that nobody works on
 * @param folder where the copy is made; needs room for twice the database
 * @throws CliFailure with code 5 where this version cannot; else it could not be tried: what `migrateFile`
 * throws, or the system's error where there is no room
 */
function tryOnCopy(file: string, folder: string): void {
  makePrivateFiles();
  const trial = join(folder, "trial");
  mkdirSync(trial);
  try {
    const copy = stateFiles(trial).database;
    for (const part of ["", "-wal"]) {
      if (existsSync(`${file}${part}`)) copyFileSync(`${file}${part}`, `${copy}${part}`);
    }
    migrateFile({ "state.dir": trial, "backup.to": "" });
  } catch (error) {
    throw isUnfit(error) ? new CliFailure(EXIT.unfit, error.message, { cause: error }) : error;
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

/** True for what the steps of the schema come to by what is in the database, on any disk. */
function isUnfit(error: unknown): error is Error {
  if (error instanceof SchemaMismatch) return true;
  return error instanceof Error && UNFIT.test(errorCode(error) ?? "");
}

/**
 * Brings a database to this version's schema, as a start does: a copy of one that was removed is put
 * back first, and a new one is made only where there is none. The state directory must be held.
 * @returns the steps that were applied, and what of others was removed before, or found
 * @throws CliFailure with code 3 for one that is damaged, or gone; or the database's error
 */
export function migrateFile(home: BackupHome): Findings & { readonly applied: readonly string[] } {
  const stateDir = home["state.dir"];
  const path = stateFiles(stateDir).database;
  const log = createLog({ level: "silent", clock: systemClock });
  const isNew = !hasDatabase(path);
  putBackRescued(path, log);
  requireShop(home);
  const database = openDatabase(path);
  try {
    const found = removeForeign(database, { tables: false });
    const applied = migrate(database, systemClock.now());
    if (isNew) beginStarts(stateDir, createStores(database), log);
    return { ...found, applied };
  } catch (error) {
    throw isDamage(error) ? damagedFailure(home, error) : error;
  } finally {
    database.close();
  }
}

/**
 * Counts a new database as if it had been started: it may be used before it is, and a state directory
 * that begins anew would then be taken for one that was put back from a copy.
 */
function beginStarts(stateDir: string, stores: Stores, log: Log): void {
  const starts = new StartCount({ stateDir, stores, log });
  starts.count();
  starts.stop();
}
