/** What all purges have in common, and the purge of rows that end by their age. */

import { and, asc, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../connection.ts";
import { prepareLater } from "./prepared-query.ts";

/**
 * Rows that a purge removes in one operation of the writer. Others wait for it and its commit: keys
 * lie scattered, so each row may change a page of its own, and a day's worth takes a second.
 */
export const PURGE_ROWS_MAX = 50;

/**
 * Rows that are looked at for them in one operation. While the clock is behind all that is stored there is
 * none to be found, and a look at the whole of a large table takes a minute off a slow disk.
 */
const LOOKED_AT_ROWS = 1_000;

/** Which rows have ended. UTC milliseconds. */
export interface Ended {
  /** The latest instant of a row that has. */
  readonly until: number;
  /** What the wall clock shows. A row of a later instant was stored while the clock was ahead. */
  readonly now: number;
}

/** What a purge has done. */
interface AgedPurge {
  readonly removed: number;
  readonly hasMore: boolean;
}

/** A table whose rows are numbered in the order in which they were stored. */
export interface AgeingTable {
  readonly table: SQLiteTable;
  readonly seq: SQLiteColumn;
  /** When a row was stored; UTC milliseconds. May use the placeholders `until` and `now`. */
  readonly storedAt: SQLiteColumn | SQL<number>;
  /** The others are passed over, and stay. */
  readonly removable?: SQL | undefined;
}

/**
 * The purge of such a table: some of the oldest rows, up to the first that has not ended. It goes by
 * the order of the rows, so that no index on their time is needed, and so that one of a clock that was
 * behind stays as long as those before it.
 *
 * One of a clock that was ahead neither holds up the others until its date nor is younger than they
 * are: it goes with the first one that was stored after it and has ended.
 * @returns how many it has removed, and whether more may be left
 */
export function prepareAgedPurge(
  { orm }: Pick<Database, "orm">,
  { table, seq, storedAt, removable }: AgeingTable,
): (ended: Ended) => AgedPurge {
  const number = sql<number>`${seq}`;
  const time = sql<number>`${storedAt}`;
  const oldest = prepareLater(() =>
    orm
      .select({ number, time })
      .from(table)
      .where(
        and(
          gt(seq, sql.placeholder("from")),
          lte(seq, sql.placeholder("to")),
          removable,
          lte(time, sql.placeholder("now")),
        ),
      )
      .orderBy(asc(seq))
      .limit(PURGE_ROWS_MAX),
  );
  const end = prepareLater(() =>
    orm
      .select({ number })
      .from(table)
      .where(gt(seq, sql.placeholder("from")))
      .orderBy(asc(seq))
      .limit(1)
      .offset(LOOKED_AT_ROWS - 1),
  );
  const upTo = orm
    .select({ number })
    .from(table)
    .where(and(lte(seq, sql.placeholder("last")), removable))
    .orderBy(asc(seq))
    .limit(PURGE_ROWS_MAX);
  const remove = prepareLater(() => orm.delete(table).where(inArray(seq, upTo)));
  /** Nothing was found up to there; 0 for a new round. */
  let from = 0;
  return ({ until, now }) => {
    const to = end.get({ from })?.number;
    const found = oldest.all({ from, to: to ?? Number.MAX_SAFE_INTEGER, now });
    from = found.length === 0 ? (to ?? 0) : 0;
    if (found.length === 0) return { removed: 0, hasMore: to !== undefined };
    const young = found.findIndex((row) => row.time > until);
    const last = (young === -1 ? found : found.slice(0, young)).at(-1)?.number;
    const removed = last === undefined ? 0 : remove.run({ last, now }).changes;
    return { removed, hasMore: removed === PURGE_ROWS_MAX };
  };
}
