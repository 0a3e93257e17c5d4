/**
 * Rows that SQLite can read, but that say nothing: bytes have changed within them, which no check of its
 * own notices. Nothing is printed, answered or guessed from such a row.
 */

import { getTableColumns, getTableName, is } from "drizzle-orm";
import { type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./connection.ts";
import { columnsIn } from "./made-schema.ts";
import { COMMAND_INDEXES } from "./schema/commands.ts";
import * as schema from "./schema/index.ts";
import type { Sqlite } from "./sqlite.ts";

/** A row, by its number and how a person finds it, and the columns of it that make no sense. */
export interface SenselessRow {
  readonly table: string;
  readonly rowid: number;
  /** Its id, or its number where it has none. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** `unreadable` ends the work that meets it; `unknown` is a word that this version does not have. */
export type Sense = "unreadable" | "unknown";

/**
 * `all`, or `started_on`: what a gateway works on from its start, whatever the size of its history. The
 * newest rows of each table, which are all of the tables of printers, places and shops, and every command
 * that is not final.
 */
export type Scope = "all" | "started_on";

/** Of each table, for `started_on`: read in a fraction of a second. */
export const NEWEST_ROWS = 1_000;
/** Columns of JSON and of time zones: reading one says whether it makes sense. */
const PARSED = "custom";
const TABLES: readonly SQLiteTable[] = Object.values<unknown>({ ...schema }).filter((one) =>
  is(one, SQLiteTable),
);

/**
 * Reads all rows in the scope, about as fast as the disk gives them; a row may come twice. Columns that the database lacks are passed over.
 * @yields each row of which a column makes no sense, table by table
 * @throws the database's error
 */
export function* senselessRows(
  { sqlite }: Pick<Database, "sqlite">,
  sense: Sense,
  scope: Scope = "all",
): Generator<SenselessRow> {
  const found = columnsIn(sqlite);
  for (const table of TABLES) {
    const there = found.get(getTableName(table)) ?? new Set();
    const columns = Object.values(getTableColumns(table)).filter(({ name }) => there.has(name));
    const doubted = columns.flatMap((column) => {
      const doubt = doubtOf(column, sense);
      return doubt === undefined ? [] : [{ column, doubt }];
    });
    if (doubted.length === 0) continue;
    const looked = { table, doubted, hasId: there.has("id") };
    for (const source of sourcesOf(sqlite, table, scope)) {
      yield* rowsOf(sqlite, { ...looked, source });
    }
  }
}

/** One line for a person. */
export function senselessText({ table, name, columns }: SenselessRow): string {
  return `${table} ${name}: what is in ${columns.join(", ")} makes no sense`;
}

/**
 * Takes rows that make no sense out of a database that is being repaired; one of which only the time zone
 * is lost stays, with UTC for a shop and the shop's own for a place.
 * @returns how many were taken out, by table, and how many zones were set
 */
export function removeSenseless(database: Pick<Database, "sqlite">): {
  readonly removed: ReadonlyMap<string, number>;
  readonly zones: ReadonlyMap<string, number>;
} {
  const { sqlite } = database;
  const [removed, zones] = [new Map<string, number>(), new Map<string, number>()];
  for (const sense of ["unreadable", "unknown"] as const) {
    for (const { table, rowid, columns } of [...senselessRows(database, sense)]) {
      const isZone = columns.length === 1 && columns[0] === "timezone";
      const change = isZone
        ? `UPDATE "${table}" SET timezone = ${table === "organizations" ? "'UTC'" : "NULL"}`
        : `DELETE FROM "${table}"`;
      if (sqlite.prepare(`${change} WHERE rowid = ?`).run(rowid).changes === 0) continue;
      const counts = isZone ? zones : removed;
      counts.set(table, (counts.get(table) ?? 0) + 1);
    }
  }
  return { removed, zones };
}

/** The condition under which a column has to be looked at; undefined where none makes it senseless. */
function doubtOf(column: SQLiteColumn, sense: Sense): string | undefined {
  const name = `"${column.name}"`;
  if (sense === "unknown") {
    const words = column.enumValues?.map((word) => `'${word}'`).join(", ");
    return words ? `${name} NOT IN (${words})` : undefined;
  }
  if (column.dataType !== PARSED) return undefined;
  // Most rows hold objects, of which the first character says enough: reading them all takes longer.
  if (makesSense(column, "{}")) return `(json_valid(${name}) = 0 OR substr(${name}, 1, 1) <> '{')`;
  return makesSense(column, "[]") ? `${name} <> '[]'` : `${name} IS NOT NULL`;
}

/** What rows are taken from, with a condition that is to be added to. */
function sourcesOf(sqlite: Sqlite, table: SQLiteTable, scope: Scope): string[] {
  const name = `"${getTableName(table)}"`;
  if (scope === "all") return [`${name} WHERE true`];
  const newest = `(SELECT rowid, * FROM ${name} ORDER BY rowid DESC LIMIT ${NEWEST_ROWS}) WHERE true`;
  if (table !== schema.commands) return [newest];
  // However long it has waited: it may be sent next. An index that was dropped is made anew later.
  const { unfinished } = COMMAND_INDEXES;
  const by = hasIndex(sqlite, unfinished) ? ` INDEXED BY ${unfinished}` : "";
  return [newest, `${name}${by} WHERE finished_at IS NULL`];
}

function hasIndex(sqlite: Sqlite, name: string): boolean {
  const found = sqlite.prepare<[string], unknown>(
    "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?",
  );
  return found.get(name) !== undefined;
}

interface Doubted {
  readonly table: SQLiteTable;
  readonly doubted: readonly { readonly column: SQLiteColumn; readonly doubt: string }[];
  readonly hasId: boolean;
  readonly source: string;
}

function* rowsOf(
  sqlite: Sqlite,
  { table, doubted, hasId, source }: Doubted,
): Generator<SenselessRow> {
  const name = getTableName(table);
  const values = doubted.map(({ column, doubt }) => `CASE WHEN ${doubt} THEN "${column.name}" END`);
  const found = sqlite
    .prepare<[], [rowid: number, id: unknown, ...values: unknown[]]>(
      `SELECT rowid, ${hasId ? "id" : "rowid"}, ${values.join(", ")} FROM ${source} ` +
        `AND (${doubted.map(({ doubt }) => doubt).join(" OR ")})`,
    )
    .raw();
  for (const [rowid, id, ...content] of found.iterate()) {
    const columns = doubted
      .filter(({ column }, index) => !makesSense(column, content[index]))
      .map(({ column }) => column.name);
    if (columns.length > 0) yield { table: name, rowid, name: harmlessId(id), columns };
  }
}

/** SQLite's own word on JSON is not the last one: it takes less depth than we do. */
function makesSense(column: SQLiteColumn, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (column.dataType !== PARSED) return false;
  try {
    column.mapFromDriverValue(value);
    return true;
  } catch {
    return false;
  }
}

/** It may be damaged too, and is meant for a terminal. */
function harmlessId(id: unknown): string {
  return String(id)
    .replaceAll(/[^\w.:@-]/g, "?")
    .slice(0, 80);
}
