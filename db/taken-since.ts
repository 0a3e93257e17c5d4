/** What goes back from an upgrade asks of a database: what the shop has sold on it since it was saved. */

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

/** How many were taken, by table. */
export type Taken = Readonly<Record<Table, number>>;

/** The time in which what is taken does not count: a new version is watched. UTC milliseconds. */
export interface Watch {
  readonly from: number;
  readonly until: number;
}

/** @throws the database's error */
export function lastTakenIn(sqlite: Sqlite): LastTaken {
  const lastOf = (table: Table): Row | null => {
    const sql = `SELECT rowid AS number, id FROM ${table} ORDER BY rowid DESC LIMIT 1`;
    return sqlite.prepare<[], Row>(sql).get() ?? null;
  };
  return { commands: lastOf("commands"), receipts: lastOf("receipts") };
}

/**
 * Counts what came behind the last ones of a copy: it was taken since that was made, whatever the clock was then. Of
 * that, what has a time of the watch does not count, nor what damage hides.
 * @param last of the copy
 * @throws the database's error for all but damage
 */
export function takenBeyond(sqlite: Sqlite, last: LastTaken, { from, until }: Watch): Taken {
  const countOf = (table: Table): number => {
    const sql = `SELECT count(*) AS number FROM ${table} WHERE rowid > ? AND (created_at > ? OR created_at < ?)`;
    const counted = sqlite.prepare<[number, number, number], Pick<Row, "number">>(sql);
    return counted.get(numberOf(sqlite, table, last[table]), until, from)?.number ?? 0;
  };
  return {
    commands: asReadable(() => countOf("commands")),
    receipts: asReadable(() => countOf("receipts")),
  };
}

/**
 * The number that a row has now: a table that was made anew numbers its rows anew, in the same order. 0 for
 * one that is there no more: its number may be another one's.
 */
function numberOf(sqlite: Sqlite, table: Table, row: Row | null): number {
  if (row === null) return 0;
  const numberWhere = (condition: string, ...values: (number | string)[]): number | undefined => {
    // An index may be damaged, which must not hide what its table holds.
    const sql = `SELECT rowid AS number FROM ${table} NOT INDEXED WHERE ${condition}`;
    return sqlite.prepare<(number | string)[], Pick<Row, "number">>(sql).get(...values)?.number;
  };
  const { number, id } = row;
  // By the number first: the other one reads all of the table.
  return numberWhere("rowid = ? AND id = ?", number, id) ?? numberWhere("id = ?", id) ?? 0;
}

/** 0 where damage hides it. */
function asReadable(count: () => number): number {
  try {
    return count();
  } catch (error) {
    if (isDamage(error)) return 0;
    throw error;
  }
}
