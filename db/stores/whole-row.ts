/** Storing whole rows: what an insert writes follows from the table, so no column is left out. */

import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../connection.ts";

/** The columns of a table by the names of their fields. */
export type Columns = Readonly<Record<string, SQLiteColumn>>;

/**
 * Begins an insert of whole rows, to be prepared: its placeholders are the fields of the table, and
 * running it without one of them throws.
 * @param made the field that SQLite fills itself, where there is one
 */
export function insertWhole(orm: Database["orm"], table: SQLiteTable, made?: string) {
  const columns: Columns = getTableColumns(table);
  const values = Object.entries(columns).flatMap(([field, column]) =>
    field === made ? [] : [[field, placeholderOf(field, column)] as const],
  );
  return orm.insert(table).values(Object.fromEntries(values));
}

/** Stores a row of a table that seldom gets one: nothing is prepared for it beforehand. */
export function insertRow<T extends SQLiteTable>(
  orm: Database["orm"],
  table: T,
  row: T["$inferSelect"],
): void {
  insertWhole(orm, table)
    .prepare()
    .run({ ...row });
}

/** For an upsert: every column takes the value of the new row, but for those of the key. */
export function newValues(table: SQLiteTable, key: readonly SQLiteColumn[]): Record<string, SQL> {
  const columns: Columns = getTableColumns(table);
  return Object.fromEntries(
    Object.entries(columns)
      .filter(([, column]) => !key.includes(column))
      .map(([field, column]) => [field, sql`excluded.${sql.identifier(column.name)}`]),
  );
}

/** A column's placeholder. Left to itself, a JSON column would store the text `null` for nothing. */
export function placeholderOf(field: string, column: SQLiteColumn): SQL {
  const encoder = {
    mapToDriverValue: (value: unknown) => (value === null ? null : column.mapToDriverValue(value)),
  };
  return sql`${sql.param(sql.placeholder(field), encoder)}`;
}
