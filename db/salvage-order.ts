/** What came first, behind a repair: see `stores/order.ts`. */

import { getTableColumns, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { getTableName } from "drizzle-orm/table";
import type { Database } from "./connection.ts";
import * as schema from "./schema/index.ts";
import { createEventStore } from "./stores/events.ts";

/** No gateway has so many events: what is above it was written over. */
const ORDER_MAX = 2 ** 40;

interface OrderColumn {
  readonly table: string;
  readonly column: string;
}

/** Those made by `order` of `schema/columns.ts`. */
export function orderColumns(): OrderColumn[] {
  return Object.values<unknown>({ ...schema })
    .filter((one) => is(one, SQLiteTable))
    .flatMap((table) =>
      Object.values(getTableColumns(table)).flatMap(({ name: column }) =>
        column.endsWith("_order") ? [{ table: getTableName(table), column }] : [],
      ),
    );
}

/**
 * Where the newest events are lost, those to come are numbered above all that rows keep of the order:
 * what happens from now on would else seem to lie before what had happened.
 * @param lost stands for what is lost in the row of an event that tells nobody anything
 */
export function goOnInOrder(
  database: Database,
  lost: { readonly id: string; readonly now: number },
): void {
  const { sqlite } = database;
  // Read without its order, as where nothing tells that an older version wrote it, it would not count as said.
  sqlite.exec(
    "UPDATE outcome_holds SET resolved_order = 0 WHERE resolved_at IS NOT NULL AND resolved_order IS NULL",
  );
  const newest = orderColumns().map(({ table, column }) => {
    const isOne = `${column} BETWEEN 0 AND ${ORDER_MAX}`;
    sqlite.prepare(`UPDATE ${table} SET ${column} = 0 WHERE NOT (${isOne})`).run();
    const highest = sqlite.prepare<[], number | null>(`SELECT max(${column}) FROM ${table}`);
    return highest.pluck().get() ?? 0;
  });
  const last = Math.max(...newest);
  // What happened was told by an event behind its order: without that, the next would have the same.
  const seq = last + 1;
  const events = createEventStore(database);
  if (last > 0 && seq > events.lastSeq()) events.leaveOut(seq, lost);
}
