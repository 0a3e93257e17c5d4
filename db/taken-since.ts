/** What goes back from an upgrade asks of a database: whether the shop has sold on it since. */

import { isDamage } from "./snapshot.ts";
import type { Sqlite } from "./sqlite.ts";

/** Where a sale comes in: one that is to be printed, and one that was printed elsewhere and is stored. */
const TAKEN = ["commands", "receipts"] as const;
type Table = (typeof TAKEN)[number];

interface Row {
  readonly number: number;
  readonly id: string;
}

/** What was taken last, by table; null where nothing was. */
export type LastTaken = Readonly<Record<Table, Row | null>>;

/** @throws the database's error */
export function lastTakenIn(sqlite: Sqlite): LastTaken {
  const lastOf = (table: Table): Row | null => {
    const sql = `SELECT rowid AS number, id FROM ${table} ORDER BY rowid DESC LIMIT 1`;
    return sqlite.prepare<[], Row>(sql).get() ?? null;
  };
  return { commands: lastOf("commands"), receipts: lastOf("receipts") };
}

/**
 * Whether a command or a receipt has a later time than that.
 * @param at UTC milliseconds
 * @returns false also where damage hides it
 * @throws the database's error for all but damage
 */
export function isTakenSince(sqlite: Sqlite, at: number): boolean {
  return anyReadable((table) => {
    const sql = `SELECT 1 FROM ${table} WHERE created_at > ? LIMIT 1`;
    return sqlite.prepare(sql).get(at) !== undefined;
  });
}

/**
 * Whether a command or a receipt has an earlier time than that, and came behind the last one of then: the
 * clock was set back meanwhile.
 * @param at UTC milliseconds
 * @param last of a copy that was made at that time
 * @returns false also where damage hides it
 * @throws the database's error for all but damage
 */
export function isTakenOnEarlierClock(sqlite: Sqlite, at: number, last: LastTaken): boolean {
  return anyReadable((table) => {
    const sql = `SELECT 1 FROM ${table} WHERE rowid > ? AND created_at < ? LIMIT 1`;
    return sqlite.prepare(sql).get(numberOf(sqlite, table, last[table]), at) !== undefined;
  });
}

/** 0 for a row that is there no more: its number may have been given anew. */
function numberOf(sqlite: Sqlite, table: Table, row: Row | null): number {
  if (row === null) return 0;
  const sql = `SELECT 1 FROM ${table} WHERE rowid = ? AND id = ?`;
  return sqlite.prepare(sql).get(row.number, row.id) === undefined ? 0 : row.number;
}

/** True where one of the tables says so, as far as it can be read. */
function anyReadable(says: (table: Table) => boolean): boolean {
  return TAKEN.some((table) => {
    try {
      return says(table);
    } catch (error) {
      if (isDamage(error)) return false;
      throw error;
    }
  });
}
