/**
 * The results that a controller on a computer of its own has not yet handed to its gateway, in a
 * SQLite file. There are as many rows as commands are out on its devices, and those that are owed to a
 * gateway which another one stands in for. They go by their number, never by their age: the clock of such
 * a computer may be years wrong until somebody sets it, and the result of a printed receipt has to outlive
 * that.
 */

import { type Database, openDatabase } from "./connection.ts";

/** One result, with what it says as JSON. */
export interface KeptRow {
  readonly commandId: string;
  readonly deviceId: string;
  readonly epoch: number;
  readonly result: string;
  /** The installation of the gateway that it is owed to; null where that did not say. */
  readonly owedTo: string | null;
  /** Null while no other gateway has answered it. */
  readonly answered: KeptAnswer | null;
}

/** Which other gateway has answered one; since when such do, in UTC milliseconds. */
export interface KeptAnswer {
  readonly by: string | null;
  readonly since: number;
}

/** One as it lies in the file. */
interface StoredRow extends Omit<KeptRow, "answered"> {
  readonly by: string | null;
  readonly since: number | null;
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
  /** On disk when it returns. */
  answered(commandId: string, answer: KeptAnswer): void;
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

/** What later versions keep of a result lies apart, so that an earlier one still writes its rows. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS kept_results (
    command_id TEXT PRIMARY KEY,
    device_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    result TEXT NOT NULL,
    kept_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS owed_to (
    command_id TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    installation_id TEXT,
    answered_by TEXT,
    answered_since INTEGER
  ) STRICT`;
/** Of a hand-over of which an earlier version has kept the result nothing is known. */
const OF_SAME =
  "owed_to.command_id = kept_results.command_id AND owed_to.epoch = kept_results.epoch";

function prepared({ sqlite, close }: Database): KeptResults {
  sqlite.exec(TABLES);
  const list = sqlite.prepare<[], StoredRow>(
    `SELECT kept_results.command_id AS commandId, device_id AS deviceId, kept_results.epoch, result,
       installation_id AS owedTo, answered_by AS by, answered_since AS since
     FROM kept_results LEFT JOIN owed_to ON ${OF_SAME} ORDER BY kept_results.rowid`,
  );
  const put = sqlite.prepare<[string, string, number, string, number]>(
    "INSERT OR REPLACE INTO kept_results VALUES (?, ?, ?, ?, ?)",
  );
  const putOwed = sqlite.prepare<[string, number, string | null, string | null, number | null]>(
    "INSERT OR REPLACE INTO owed_to VALUES (?, ?, ?, ?, ?)",
  );
  const keepTo = sqlite.prepare(
    `DELETE FROM kept_results WHERE rowid <= (
       SELECT rowid FROM kept_results ORDER BY rowid DESC LIMIT 1 OFFSET ${KEPT_RESULTS_MAX}
     )`,
  );
  const dropRest = sqlite.prepare(
    `DELETE FROM owed_to WHERE NOT EXISTS (SELECT 1 FROM kept_results WHERE ${OF_SAME})`,
  );
  const answer = sqlite.prepare<[string | null, number, string]>(
    `INSERT INTO owed_to (command_id, epoch, answered_by, answered_since)
     SELECT command_id, epoch, ?, ? FROM kept_results WHERE command_id = ?
     ON CONFLICT (command_id) DO UPDATE SET
       answered_by = excluded.answered_by, answered_since = excluded.answered_since`,
  );
  const remove = sqlite.prepare<[string]>("DELETE FROM kept_results WHERE command_id = ?");
  const removeOwed = sqlite.prepare<[string]>("DELETE FROM owed_to WHERE command_id = ?");
  dropRest.run();
  const keep = sqlite.transaction(
    ({ commandId, deviceId, epoch, result, ...row }: KeptRow, at: number) => {
      // A row that is replaced gets a new number, so the newest have the highest ones.
      put.run(commandId, deviceId, epoch, result, at);
      const { owedTo, answered } = row;
      putOwed.run(commandId, epoch, owedTo, answered?.by ?? null, answered?.since ?? null);
      if (keepTo.run().changes > 0) dropRest.run();
    },
  );
  const forget = sqlite.transaction((commandId: string) => {
    remove.run(commandId);
    removeOwed.run(commandId);
  });
  return {
    all: () => list.all().map(rowOf),
    keep: (row, at) => void keep(row, at),
    answered: (commandId, { by, since }) => void answer.run(by, since, commandId),
    forget: (commandId) => void forget(commandId),
    close,
  };
}

function rowOf({ by, since, ...row }: StoredRow): KeptRow {
  return { ...row, answered: since === null ? null : { by, since } };
}
