/** A value of the shape that a column of JSON takes, for tests that fill any table. */

import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** @returns one that holds the text @throws Error where the column takes none that is known here */
export function shapedValue(column: SQLiteColumn, text: string): unknown {
  const amounts = { quantityMilli: 1, priceMinor: 1, amountMinor: 1, turnoverMinor: 1 };
  const shapes = [{ address: text }, [{ ...amounts, name: text }], [text]];
  const found = shapes.find((value) => takes(column, value));
  if (found === undefined) throw new Error(`no value for ${column.name}`);
  return found;
}

function takes(column: SQLiteColumn, value: unknown): boolean {
  try {
    column.mapFromDriverValue(JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
