/** What a repair says of its losses, on databases that were written over at many places. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { openDatabase } from "./connection.ts";
import { migrate, SchemaMismatch } from "./migrate.ts";
import { isWholeTable, NothingSaved, type SalvagedTable, salvage } from "./salvage.ts";
import * as schema from "./schema/index.ts";
import { contentOf, tablesOf } from "./snapshot.ts";
import type { Sqlite } from "./sqlite.ts";
import { shapedValue } from "./testing/shaped-value.ts";

const folder = mkdtempSync(join(tmpdir(), "fiscald-salvage-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Rows of the tables, in turn: empty ones, small ones, and some of many pages. */
const COUNTS = [28, 0, 1, 300, 5, 0, 60];
const LENGTHS = [40, 600, 4_096, 9_000, 30_000, 60_000];
const LIST_BYTES = 40_000;
const PLACES = 60;
const SEED = 7;
const PAGE_BYTES = 4_096;

/** Mulberry32: the same numbers in each run, from 0 up to 1. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Column {
  readonly name: string;
  readonly type: string;
}

type Filling = (row: number, long: string) => string;

/** Of columns that take nothing but words of ours, JSON or time zones. */
function sensibleOf(table: string, name: string): Filling | undefined {
  const found = Object.values<unknown>({ ...schema })
    .filter((one) => is(one, SQLiteTable))
    .filter((one) => getTableName(one) === table)
    .flatMap((one) => Object.values(getTableColumns(one)))
    .find((column) => column.name === name);
  const [word] = found?.enumValues ?? [];
  if (word !== undefined) return () => word;
  if (found?.dataType !== "custom") return undefined;
  if (name === "timezone") return () => "UTC";
  return (row, long) => JSON.stringify(shapedValue(found, `${row}${long}`));
}

function fill(sqlite: Sqlite, table: string, count: number): void {
  const columns = sqlite
    .prepare<[string], Column>("SELECT name, lower(type) AS type FROM pragma_table_info(?)")
    .all(table);
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const places = columns.map(() => "?").join(", ");
  const insert = sqlite.prepare(`INSERT INTO "${table}" (${names}) VALUES (${places})`);
  for (let row = 1; row <= count; row += 1) {
    // Some rows go over several pages.
    const long = row % 9 === 0 ? "x".repeat(9_000) : "x".repeat(80);
    insert.run(
      ...columns.map(({ name, type }) => {
        if (type === "integer") return row;
        const sensible = sensibleOf(table, name);
        if (sensible !== undefined) return sensible(row, long);
        return `${name}-${row}${name === columns.at(-1)?.name ? long : ""}`;
      }),
    );
  }
}

const whole = join(folder, "whole.db");
let content: Readonly<Record<string, number>> = {};

beforeAll(() => {
  const database = openDatabase(whole);
  migrate(database, 0);
  database.sqlite.pragma("foreign_keys = OFF");
  for (const [index, table] of tablesOf(database.sqlite).entries()) {
    if (table !== "schema_migrations")
      fill(database.sqlite, table, COUNTS[index % COUNTS.length] ?? 0);
  }
  content = contentOf(database).rows;
  database.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
});

function mostLost({ gaps, refused, lostColumns }: SalvagedTable): number {
  if (lostColumns.length > 0) return Number.POSITIVE_INFINITY;
  return gaps.reduce(
    (sum, { after, before }) =>
      sum + (before === null ? Number.POSITIVE_INFINITY : before - after - 1),
    refused,
  );
}

/** Writes over some bytes of the whole one. @returns path of what comes of it */
function spoiled(place: number, random: () => number): string {
  const bytes = readFileSync(whole);
  const size = LENGTHS[place % LENGTHS.length] ?? 0;
  // The list of tables begins the file.
  const at = Math.floor(random() * (place % 3 === 0 ? LIST_BYTES : bytes.length));
  const isZero = place % 5 === 4;
  for (let offset = at; offset < Math.min(at + size, bytes.length); offset += 1) {
    bytes[offset] = isZero ? 0 : Math.floor(random() * 256);
  }
  const file = join(folder, `damaged-${place}.db`);
  writeFileSync(file, bytes);
  return file;
}

/** Undefined where it refuses to: then nothing is said, and nothing changed. */
function salvaged(damaged: string): readonly SalvagedTable[] | undefined {
  try {
    return salvage(damaged, `${damaged}.new`, 1);
  } catch (error) {
    if (error instanceof NothingSaved || error instanceof SchemaMismatch) return undefined;
    throw error;
  }
}

test(`a repair never says that less was lost than was, at ${PLACES} places`, () => {
  const random = numbersOf(SEED);
  let said = 0;
  let wholeTables = 0;
  for (let place = 0; place < PLACES; place += 1) {
    for (const table of salvaged(spoiled(place, random)) ?? []) {
      const lost = (content[table.table] ?? 0) - table.saved;
      const isHonest = lost <= mostLost(table);
      expect({ place, ...table, lost, isHonest }).toMatchObject({ isHonest: true });
      said += 1;
      if (isWholeTable(table)) wholeTables += 1;
    }
  }
  // Nor does it say so of what no damage was near.
  expect(said).toBeGreaterThan(0.8 * PLACES * Object.keys(content).length);
  expect(wholeTables).toBeGreaterThan(0.9 * said);
});

/** How much of the file a cut leaves, in pages; half of them within a page. */
const CUTS = [2, 6.5, 10, 14.5, 26, 38.5, 62, 70.5, 150, 250.5];
/** So much is the list of tables, and what there is before the first row. */
const ROWLESS_PAGES = 6.5;

test("a repair of a file that was cut off saves what is left, and says what is not", () => {
  const bytes = readFileSync(whole);
  for (const pages of CUTS) {
    const file = join(folder, `cut-${pages}.db`);
    writeFileSync(file, bytes.subarray(0, pages * PAGE_BYTES));
    const tables = salvaged(file);
    const isSaved = tables !== undefined;
    expect({ pages, isSaved }).toEqual({ pages, isSaved: pages > ROWLESS_PAGES });
    for (const table of tables ?? []) {
      const lost = (content[table.table] ?? 0) - table.saved;
      const isHonest = lost <= mostLost(table);
      expect({ pages, ...table, lost, isHonest }).toMatchObject({ isHonest: true });
    }
  }
});
