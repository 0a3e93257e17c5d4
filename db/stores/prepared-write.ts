/**
 * Statements that change rows, prepared once and run often. Drizzle walks through all parts of a
 * prepared statement each time it runs, to find the placeholders among them: for a row of twenty
 * columns that takes as long as SQLite takes to store it. Here they are found once.
 */

import type { RunResult } from "better-sqlite3";
import { getTableColumns, is, Param, Placeholder, type Query, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../connection.ts";
import { type Columns, placeholderOf } from "./whole-row.ts";

/** Values of the placeholders, by their names. */
type Values = Readonly<Record<string, unknown>>;

export interface PreparedWrite {
  /** @throws Error when a placeholder is given no value, or the database's error */
  run(values: Values): RunResult;
}

/**
 * Prepares an insert, update or delete, when it is run for the first time.
 * @param query puts it together
 */
export function prepareWrite(
  { sqlite }: Pick<Database, "sqlite">,
  query: () => { toSQL(): Query },
): PreparedWrite {
  let prepared: ((values: Values) => RunResult) | undefined;
  const prepare = () => {
    const { sql, params } = query().toSQL();
    const statement = sqlite.prepare(sql);
    const parts = params.map(partOf);
    return (values: Values) => statement.run(parts.map((part) => part(values)));
  };
  return {
    run: (values) => {
      prepared ??= prepare();
      return prepared(values);
    },
  };
}

/** Changes some columns of the rows that the values of its condition name. */
type PreparedChange<Row> = (change: Partial<Row>, which: Values) => RunResult;

/**
 * Prepares a change of columns of which it is known only as it is run which they are; for each set of them
 * once, and there are as many as places that change rows.
 * @param where its placeholders are called as no field of the table is
 */
export function prepareChange<T extends SQLiteTable>(
  { orm, sqlite }: Pick<Database, "orm" | "sqlite">,
  table: T,
  where: SQL | undefined,
): PreparedChange<T["$inferSelect"]> {
  const columns: Columns = getTableColumns(table);
  const prepared = new Map<string, PreparedWrite>();
  const prepare = (changed: ReadonlySet<string>) => {
    const fields = Object.entries(columns).filter(([field]) => changed.has(field));
    const values = fields.map(([field, column]) => [field, placeholderOf(field, column)]);
    return prepareWrite({ sqlite }, () =>
      orm.update<SQLiteTable>(table).set(Object.fromEntries(values)).where(where),
    );
  };
  return (change, which) => {
    const fields = Object.entries(change).flatMap(([field, value]) =>
      value === undefined ? [] : [field],
    );
    const name = fields.join();
    const write = prepared.get(name) ?? prepare(new Set(fields));
    prepared.set(name, write);
    return write.run({ ...change, ...which });
  };
}

/** What is bound for one parameter of a statement. */
function partOf(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return ({ [param.name]: value }) => given(param.name, value);
  if (!is(param, Param)) return () => param;
  const { value: inner, encoder } = param;
  if (!is(inner, Placeholder)) return () => encoder.mapToDriverValue(inner);
  return ({ [inner.name]: value }) => encoder.mapToDriverValue(given(inner.name, value));
}

function given(name: string, value: unknown): unknown {
  if (value === undefined) throw new Error(`the statement is given no ${name}`);
  return value;
}
