/** Saving what can be read of a damaged database, in its place. */

import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { printerOf } from "#core/device/printer.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { isWholeTable, type SalvagedTable, salvage } from "#db/salvage.ts";
import { faultsOf } from "#db/snapshot.ts";
import { createStores } from "#db/stores/index.ts";
import { stateFiles } from "../config/state-files.ts";
import { exchangeState, undoBrokenExchange } from "./exchange-state.ts";
import { DATABASE_NAME } from "./manifest.ts";

export interface RepairedState {
  readonly tables: readonly SalvagedTable[];
  /** Rows that refer to others which are lost, by table. */
  readonly orphans: Readonly<Record<string, number>>;
  /** Folder of the damaged database. */
  readonly aside: string | undefined;
  /** Names of printers that are held until an owner accepts the state, whatever they tell. */
  readonly held: readonly string[];
}

/**
 * What keeps a document from being printed a second time. Where anything of it is lost, a printer that
 * has printed nothing since shows nothing: a till may repeat what it has printed long ago.
 */
const KEPT_FROM_REPEATS: ReadonlySet<string> = new Set([
  "commands",
  "idempotency_keys",
  "open_questions",
  "outcome_holds",
  "receipts",
  "restored_printers",
]);

/** It cannot be repaired there; nothing was changed. */
export class RepairRefused extends Error {
  override readonly name = "RepairRefused";
}

/**
 * Saves the database of a state directory into a new one and puts that in its place. What was lost
 * may be what a printer has printed last, so the next start takes it for a state that was put back.
 * @param stateDir must be this process's: locked
 * @param now UTC milliseconds
 * @throws RepairRefused, NothingSaved or SchemaMismatch, and nothing was changed then; or the
 * system's error
 */
export function repairState(stateDir: string, now: number): RepairedState {
  const { database: damaged, repairWork: work } = stateFiles(stateDir);
  undoBrokenExchange(stateDir);
  const status = lstatSync(damaged, { throwIfNoEntry: false });
  if (status === undefined) throw new RepairRefused(`there is no ${damaged}`);
  if (status.isSymbolicLink())
    throw new RepairRefused(`${damaged} is a link: repair it in its place`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { mode: 0o700 });
  const database = join(work, DATABASE_NAME);
  try {
    const tables = salvage(damaged, database, now);
    const orphans = proven(database);
    const isForgetful = tables.some(
      (saved) => KEPT_FROM_REPEATS.has(saved.table) && !isWholeTable(saved),
    );
    const held = isForgetful ? holdPrinters(database, now) : [];
    const aside = exchangeState({ stateDir, by: "repair", database, now });
    return { tables, orphans, aside, held };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @returns rows that refer to nothing, by table */
function proven(file: string): Record<string, number> {
  const database = openDatabase(file);
  try {
    const faults = faultsOf(database, "thorough");
    if (faults.length > 0) throw new Error(`what was saved is not whole: ${faults.join("; ")}`);
    return orphansOf(database);
  } finally {
    database.close();
  }
}

/** As if each had told that it has printed more than is known. @returns their names */
function holdPrinters(file: string, raisedAt: number): string[] {
  const database = openDatabase(file);
  try {
    const { commands, devices, restoredPrinters } = createStores(database);
    return devices.listAll().map((device) => {
      const seq = commands.newestPrinted(device.id);
      restoredPrinters.raise({ ...printerOf(device), orgId: device.orgId, raisedAt, seq });
      restoredPrinters.update(device.id, { state: "ahead" });
      return device.name;
    });
  } finally {
    database.close();
  }
}

function orphansOf({ sqlite }: Database): Record<string, number> {
  const found: Record<string, number> = {};
  const lines = sqlite.prepare<[], { table: string }>("PRAGMA foreign_key_check");
  for (const { table } of lines.iterate()) found[table] = (found[table] ?? 0) + 1;
  return found;
}
