/**
 * A damaged database that cannot say which tables it has. What it can still say of them counts; the
 * others are known by name, begin where those of a new database begin, or are found by what their rows
 * look like.
 */

import { copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import { openDamaged, openForSchema } from "./connection.ts";
import { type Account, accountFor } from "./salvage-account.ts";
import { Pages } from "./salvage-pages.ts";
import { type Gap, isUnreadable, RowReader } from "./salvage-rows.ts";
import type { Sqlite } from "./sqlite.ts";

/** A table, and the page that it begins on. */
export interface KnownTable {
  readonly name: string;
  readonly root: number;
  readonly sql: string;
}

/** The kinds of what stands in the list of tables. */
const LISTED: readonly unknown[] = ["table", "index", "view", "trigger"];
/** Looked at to see whether rows are those of a table. */
const SAMPLE = 20;

export interface TablesFound {
  /** Tables that were not found, and those of which nobody knows whether all of them was. */
  readonly unsure: ReadonlySet<string>;
}

/**
 * Makes a copy whose list of tables is written anew.
 * @param known the tables that such a database has, with the pages that they begin on in a new one
 * @returns undefined when no table was found
 */
export function copyWithSchema(
  damaged: string,
  copy: string,
  known: readonly KnownTable[],
): TablesFound | undefined {
  copyFileSync(damaged, copy);
  if (existsSync(`${damaged}-wal`)) copyFileSync(`${damaged}-wal`, `${copy}-wal`);
  const listed = readTables(copy);
  const isLogLost = (statSync(`${copy}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const account = accountOf(copy);
  for (const end of ["-wal", "-shm", "-journal"]) rmSync(`${copy}${end}`, { force: true });
  const { roots, count } = rootsIn(copy);
  for (const root of roots) {
    const more = listedFrom(copy, root);
    if (more === undefined) continue;
    roots.delete(root);
    listed.push(...more);
  }
  // A file that was cut off holds nothing of a table that begins beyond its end.
  const gone = new Set(listed.filter(({ root }) => root > count).map(({ name }) => name));
  const usable = listed.filter((table) => table.root <= count && canBeRead(copy, table));
  const found = new Map(usable.map((table) => [table.name, table]));
  const sure = new Set(found.keys());
  for (const { root } of found.values()) roots.delete(root);
  const take = (table: KnownTable, root: number): void => {
    found.set(table.name, { ...table, root });
    roots.delete(root);
  };
  const missing = () => known.filter(({ name }) => !found.has(name) && !gone.has(name));
  for (const table of missing()) {
    if (roots.has(table.root) && fits(copy, table)) take(table, table.root);
  }
  for (const root of [...roots]) {
    const fitting = missing().filter((table) => fits(copy, { ...table, root }));
    const [widest, next] = fitting.sort((one, other) => columnsIn(other) - columnsIn(one));
    const isClear = next === undefined || (widest && columnsIn(next) < columnsIn(widest));
    if (widest !== undefined && isClear) take(widest, root);
  }
  if (found.size === 0) return undefined;
  writeTables(copy, [...found.values()]);
  const lacking = missing().filter(({ name }) => !name.startsWith("sqlite_"));
  // Each table begins on a page: with all pages known, one that is not found is an empty one.
  const isAllKnown =
    gone.size + roots.size + account.strays + account.missing === 0 &&
    account.emptyRoots >= lacking.length;
  const names = known.map(({ name }) => name);
  if (isLogLost) return { unsure: new Set(names) };
  return { unsure: new Set(isAllKnown ? [] : names.filter((name) => !sure.has(name))) };
}

function accountOf(file: string): Account {
  const pages = new Pages(file);
  try {
    return accountFor(pages);
  } finally {
    pages.close();
  }
}

/** What the list of tables still tells, past what of it cannot be read. */
function readTables(file: string): KnownTable[] {
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openForSchema(file);
    return tablesIn(sqlite, "sqlite_schema").tables;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return [];
  } finally {
    sqlite?.close();
  }
}

/** What a page tells that was a part of the list, whose first page is lost; undefined where it was none. */
function listedFrom(file: string, root: number): KnownTable[] | undefined {
  const sql = "CREATE TABLE part (type, name, tbl_name, rootpage, sql)";
  writeTables(file, [{ name: "part", root, sql }]);
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openDamaged(file);
    const { tables, isList } = tablesIn(sqlite, "part");
    return isList ? tables : undefined;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return undefined;
  } finally {
    sqlite?.close();
  }
}

function tablesIn(sqlite: Sqlite, list: string): { tables: KnownTable[]; isList: boolean } {
  const tables: KnownTable[] = [];
  let isList = true;
  const select = `SELECT rowid, type, name, rootpage, sql FROM "${list}"`;
  for (const [, type, name, root, sql] of new RowReader(sqlite, select).all([])) {
    isList &&= LISTED.includes(type) && typeof root === "bigint";
    if (!isList) break;
    if (type === "table" && typeof sql === "string") {
      tables.push({ name: String(name), root: Number(root), sql });
    }
  }
  return { tables, isList };
}

function rootsIn(file: string): { readonly roots: Set<number>; readonly count: number } {
  const pages = new Pages(file);
  try {
    return { roots: new Set(pages.tableRoots()), count: pages.count };
  } finally {
    pages.close();
  }
}

/** Makes these the tables of a file. */
function writeTables(file: string, tables: readonly KnownTable[]): void {
  const pages = new Pages(file);
  pages.emptySchema();
  pages.close();
  const sqlite = openForSchema(file);
  try {
    const insert = sqlite.prepare(
      "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', ?, ?, ?, ?)",
    );
    for (const { name, root, sql } of tables) insert.run(name, name, root, sql);
  } finally {
    sqlite.close();
  }
}

/** False where what the list tells of the table is damaged itself: then SQLite would read none at all. */
function canBeRead(file: string, table: KnownTable): boolean {
  writeTables(file, [table]);
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openDamaged(file);
    return sqlite.prepare("SELECT name FROM pragma_table_info(?)").all(table.name).length > 0;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  } finally {
    sqlite?.close();
  }
}

/** True where the rows that begin there may be those of the table: by their values' kinds. */
function fits(file: string, table: KnownTable): boolean {
  writeTables(file, [table]);
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openDamaged(file);
    const columns = sqlite
      .prepare<[string], Column>(
        'SELECT name, lower(type) AS type, "notnull" FROM pragma_table_info(?)',
      )
      .all(table.name);
    const kinds = columns.map(({ name }) => `typeof("${name}")`).join(", ");
    const gaps: Gap[] = [];
    let seen = 0;
    for (const [, ...found] of new RowReader(
      sqlite,
      `SELECT rowid, ${kinds} FROM "${table.name}"`,
    ).all(gaps)) {
      if (!columns.every((column, at) => isKind(column, found[at]))) return false;
      seen += 1;
      if (seen === SAMPLE) break;
    }
    return seen > 0;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  } finally {
    sqlite?.close();
  }
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
}

function isKind({ type, notnull }: Column, kind: unknown): boolean {
  if (kind === "null") return notnull === 0;
  return kind === type;
}

function columnsIn({ sql }: KnownTable): number {
  return sql.match(/ (text|integer|blob|real)\b/gi)?.length ?? 0;
}
