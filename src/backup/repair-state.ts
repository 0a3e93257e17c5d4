/** Saving what can be read of a damaged database, in its place. */

import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { shopPrinterOf } from "#core/device/printer.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { isWholeTable, type SalvagedTable, salvage } from "#db/salvage.ts";
import { goOnInOrder } from "#db/salvage-order.ts";
import { faultsOf } from "#db/snapshot.ts";
import { createStores } from "#db/stores/index.ts";
import { stateFiles } from "../config/state-files.ts";
import { createRandom } from "../platform/random.ts";
import { exchangeState, undoBrokenExchange } from "./exchange-state.ts";
import { DATABASE_NAME } from "./manifest.ts";
import { type Recovered, recoverShops, type UsualPlace } from "./recover-shops.ts";

export interface RepairedState {
  readonly tables: readonly SalvagedTable[];
  /** What saved rows refer to, and which was made anew for that. */
  readonly recovered: Recovered;
  /** Rows that refer to others which are lost, by table. */
  readonly orphans: Readonly<Record<string, number>>;
  /** Organizations that nobody manages: no active user of theirs is an owner. */
  readonly ownerless: readonly { readonly id: string; readonly name: string }[];
  /** Folder of the damaged database. */
  readonly aside: string | undefined;
  /** Names of printers that are held until an owner accepts the state, whatever they tell. */
  readonly held: readonly string[];
  /** The same becomes of each printer that is registered in the next week. */
  readonly holdsNew: boolean;
}

/**
 * What keeps a document from being printed a second time. Where anything of it is lost, a printer that
 * has printed nothing since shows nothing: a till may repeat what it has printed long ago.
 * The appliance's values hold the counted time by which keys end.
 */
const KEPT_FROM_REPEATS: ReadonlySet<string> = new Set([
  "appliance_values",
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
 * @param options now in UTC milliseconds, and the place of a shop of which it is lost
 * @throws RepairRefused, NothingSaved or SchemaMismatch, and nothing was changed then; or the
 * system's error
 */
export function repairState(
  stateDir: string,
  { now, usualPlace }: { readonly now: number; readonly usualPlace: UsualPlace },
): RepairedState {
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
    const isLost = (is: (table: string) => boolean) =>
      tables.some((saved) => is(saved.table) && !isWholeTable(saved));
    const isLocationLost = isLost((table) => table === "locations");
    const left = inDatabase(database, (opened) => {
      requireWhole(opened);
      const recovered = recoverShops(opened, { usualPlace, isLocationLost, now });
      goOnInOrder(opened, { id: createRandom({ now: () => now }).id("evt"), now });
      const isForgetful = isLost((table) => KEPT_FROM_REPEATS.has(table));
      const held = isForgetful ? holdPrinters(opened, now) : [];
      const [orphans, ownerless] = [orphansOf(opened), ownerlessIn(opened)];
      return { recovered, held, holdsNew: isForgetful, orphans, ownerless };
    });
    const aside = exchangeState({ stateDir, by: "repair", database, now });
    return { tables, ...left, aside };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function inDatabase<T>(file: string, work: (database: Database) => T): T {
  const database = openDatabase(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function requireWhole(database: Database): void {
  const faults = faultsOf(database, "thorough");
  if (faults.length > 0) throw new Error(`what was saved is not whole: ${faults.join("; ")}`);
}

/**
 * As if each had told that it has printed more than is known; one of which nobody knows any more, when
 * it is registered.
 * @returns the names of those that are known
 */
function holdPrinters(database: Database, raisedAt: number): string[] {
  const { appliance, commands, devices, restoredPrinters } = createStores(database);
  appliance.forget("repaired");
  return devices.listAll().map((device) => {
    const seq = commands.newestPrinted(device.id);
    restoredPrinters.raise({ ...shopPrinterOf(device), raisedAt, seq });
    restoredPrinters.update(device.id, { state: "ahead" });
    return device.name;
  });
}

function ownerlessIn(database: Database): RepairedState["ownerless"] {
  const { organizations, users } = createStores(database);
  return organizations
    .list()
    .filter(({ id }) => !users.hasOwner(id))
    .map(({ id, name }) => ({ id, name }));
}

/** @returns rows that refer to nothing, by table */
function orphansOf({ sqlite }: Database): Record<string, number> {
  const found: Record<string, number> = {};
  const lines = sqlite.prepare<[], { table: string }>("PRAGMA foreign_key_check");
  for (const { table } of lines.iterate()) found[table] = (found[table] ?? 0) + 1;
  return found;
}
