/**
 * The results that a controller on a computer of its own has not yet handed to its gateway, in a
 * SQLite file. There are as many rows as commands are out on its devices, and those of devices that
 * the gateway has no more. They go by their number, never by their age: the clock of such a computer
 * may be years wrong until somebody sets it, and the result of a printed receipt has to outlive that.
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
  /** In the order in which they were kept. */
  all(): readonly KeptRow[];
  /**
   * On disk when it returns; replaces what was kept of the command, and removes the oldest beyond
   * KEPT_RESULTS_MAX.
   * @param now UTC milliseconds; only for whoever looks into the file
   */
  keep(row: KeptRow, now: number): void;
  forget(commandId: string): void;
  close(): void;
}

/** Many more than commands can be out on the devices beside one computer. */
export const KEPT_RESULTS_MAX = 1_000;

/**
 * Opens the file, making it if need be.
 * @throws whatever SQLite throws when the file cannot be opened or is no database
 */
export function openKeptResults(file: string): KeptResults {
  const database = openDatabase(file);
  try {
    return prepared(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepared({ sqlite, close }: Database): KeptResults {
  sqlite.exec(
    `CREATE TABLE IF NOT EXISTS kept_results (
       command_id TEXT PRIMARY KEY,
       device_id TEXT NOT NULL,
       epoch INTEGER NOT NULL,
       result TEXT NOT NULL,
       kept_at INTEGER NOT NULL
     ) STRICT`,
  );
  const list = sqlite.prepare<[], KeptRow>(
    `SELECT command_id AS commandId, device_id AS deviceId, epoch, result
     FROM kept_results ORDER BY rowid`,
  );
  const put = sqlite.prepare<[string, string, number, string, number]>(
    "INSERT OR REPLACE INTO kept_results VALUES (?, ?, ?, ?, ?)",
  );
  const keepTo = sqlite.prepare(
    `DELETE FROM kept_results WHERE rowid <= (
       SELECT rowid FROM kept_results ORDER BY rowid DESC LIMIT 1 OFFSET ${KEPT_RESULTS_MAX}
     )`,
  );
  const remove = sqlite.prepare<[string]>("DELETE FROM kept_results WHERE command_id = ?");
  return {
    all: () => list.all(),
    keep({ commandId, deviceId, epoch, result }, at) {
      // A row that is replaced gets a new number, so the newest have the highest ones.
      put.run(commandId, deviceId, epoch, result, at);
      keepTo.run();
    },
    forget(commandId) {
      remove.run(commandId);
    },
    close,
  };
}
