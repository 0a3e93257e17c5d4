/**
 * The results that a controller on a computer of its own has not yet handed to its gateway, in a
 * SQLite file. There are as many rows as commands are out on its devices; those that the gateway
 * never asked for again go after some days.
 */

import { type Database, openDatabase } from "./connection.ts";

/** One result, with what it says as JSON. */
export interface KeptRow {
  readonly commandId: string;
  readonly deviceId: string;
  readonly epoch: number;
  readonly result: string;
}

export interface KeptResults {
  /** Those of a device, oldest first. */
  of(deviceId: string): readonly KeptRow[];
  /** On disk when it returns; replaces what was kept of the command. @param now UTC milliseconds */
  keep(row: KeptRow, now: number): void;
  forget(commandId: string): void;
  close(): void;
}

/** By then a person has settled what the gateway could not learn. */
const KEPT_MS = 30 * 86_400_000;

/**
 * Opens the file, making it if need be.
 * @param now UTC milliseconds
 * @throws whatever SQLite throws when the file cannot be opened or is no database
 */
export function openKeptResults(file: string, now: number): KeptResults {
  const database = openDatabase(file);
  try {
    return prepared(database, now);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepared({ sqlite, close }: Database, now: number): KeptResults {
  sqlite.exec(
    `CREATE TABLE IF NOT EXISTS kept_results (
       command_id TEXT PRIMARY KEY,
       device_id TEXT NOT NULL,
       epoch INTEGER NOT NULL,
       result TEXT NOT NULL,
       kept_at INTEGER NOT NULL
     ) STRICT`,
  );
  sqlite.prepare("DELETE FROM kept_results WHERE kept_at < ?").run(now - KEPT_MS);
  const list = sqlite.prepare<[string], KeptRow>(
    `SELECT command_id AS commandId, device_id AS deviceId, epoch, result
     FROM kept_results WHERE device_id = ? ORDER BY kept_at, rowid`,
  );
  const put = sqlite.prepare<[string, string, number, string, number]>(
    "INSERT OR REPLACE INTO kept_results VALUES (?, ?, ?, ?, ?)",
  );
  const remove = sqlite.prepare<[string]>("DELETE FROM kept_results WHERE command_id = ?");
  return {
    of: (deviceId) => list.all(deviceId),
    keep({ commandId, deviceId, epoch, result }, at) {
      put.run(commandId, deviceId, epoch, result, at);
    },
    forget(commandId) {
      remove.run(commandId);
    },
    close,
  };
}
