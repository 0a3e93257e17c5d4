/**
 * Statements that change rows, prepared once and run often. Drizzle walks through all parts of a
 * prepared statement each time it runs, to find the placeholders among them: for a row of twenty
 * columns that takes as long as SQLite takes to store it. Here they are found once.
 */

import type { RunResult } from "better-sqlite3";
import { is, Param, Placeholder, type Query } from "drizzle-orm";
import type { Database } from "../connection.ts";

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
