/**
 * What a database holds besides that which the migrations made: others' triggers, views, indexes,
 * tables, and our own that others have altered. And what of ours it lacks.
 */

import type { Database } from "./connection.ts";
import { DatabaseDoubted } from "./doubts.ts";
import {
  type Columns,
  columnsIn,
  type Own,
  objectsIn,
  ownSchema,
  type SchemaObject,
  textOf,
} from "./made-schema.ts";
import { pendingMigrations, SchemaMismatch } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Sqlite } from "./sqlite.ts";

/** What was found in a database, as `trigger evil`: some by name, and how many more there were. */
export interface Findings {
  /** Is gone; an index of ours that was another's is made anew, and called `altered index ...`. */
  readonly removed: readonly string[];
  /** Indexes of ours that were gone, and are made anew. */
  readonly remade: readonly string[];
  /**
   * Tables of ours with other columns or other rules, which stay, with the shop's data in them; and
   * indexes of ours that are gone, and cannot be made of what the tables hold.
   */
  readonly altered: readonly string[];
}

/** So many are told by name. */
const TOLD_MAX = 20;
/** Of what is lost one is enough to know. */
const TOLD_LOST_MAX = 5;
/** Where `migrate` notes what it has done. */
const HISTORY = "schema_migrations";
/**
 * Removes from a database what no migration of this program has made, as a trigger that deletes
 * receipts, and makes indexes of ours anew that others have altered or removed: lists name the index
 * that they read. It belongs before anything is written there, `migrate` included.
 * @param what.tables also tables, with all that is in them; alone they do nothing
 * @throws DatabaseDoubted where a table or a column of ours is gone; SchemaMismatch as `migrate` does,
 * or when something cannot be removed; nothing is changed then
 */
export function removeForeign(database: Database, what: { readonly tables: boolean }): Findings {
  const { sqlite } = database;
  requireOwn(database);
  const own = ownObjects(database);
  const foreign = () => foreignIn(sqlite, own, what);
  const found = foreign();
  const gone = goneFrom(sqlite, own);
  if (found.length === 0 && gone.length === 0) {
    return { removed: [], remade: [], altered: alteredIn(sqlite, own) };
  }
  try {
    sqlite
      .transaction(() => {
        for (const { type, name } of found) {
          sqlite.exec(`DROP ${type} IF EXISTS "${name.replaceAll('"', '""')}"`);
        }
        for (const one of found) {
          const sql = own.get(textOf(one));
          if (sql !== undefined) sqlite.exec(sql);
        }
        for (const { sql } of gone) makeIfPossible(sqlite, sql);
        if (foreign().length > 0) throw new Error("it is there still");
      })
      .immediate();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const names = told(found, own).join(", ");
    throw new SchemaMismatch(
      `the database holds what fiscald has not made, and it cannot be removed (${reason}): ${names}`,
    );
  }
  const left = new Set(goneFrom(sqlite, own).map(textOf));
  const remade = gone.filter((one) => !left.has(textOf(one)));
  return {
    removed: told(found, own),
    remade: told(remade, new Map()),
    altered: alteredIn(sqlite, own),
  };
}

/** How the schema of a database differs from ours, each as in `Findings`. */
export interface Differences {
  /** Others' triggers, views and indexes, and altered indexes of ours: the next start removes them. */
  readonly foreign: readonly string[];
  /** Indexes of ours that are gone, which the next start makes anew. */
  readonly gone: readonly string[];
  /** Tables of ours with other columns or other rules, and indexes that cannot be made anew. */
  readonly altered: readonly string[];
}

/**
 * Looks how the schema of a database differs from ours, and changes nothing.
 * @throws DatabaseDoubted where a table or a column of ours is gone; SchemaMismatch as `migrate` does
 */
export function differencesOf(database: Pick<Database, "sqlite">): Differences {
  const { sqlite } = database;
  requireOwn(database);
  const own = ownObjects(database);
  const gone = goneFrom(sqlite, own);
  const isMakeable = ({ sql }: SchemaObject) => !hasTwins(sqlite, sql);
  const altered = [...alteredTables(sqlite, own), ...gone.filter((one) => !isMakeable(one))];
  return {
    foreign: told(foreignIn(sqlite, own, { tables: false }), own),
    gone: told(gone.filter(isMakeable), new Map()),
    altered: told(altered, new Map()),
  };
}

function requireOwn(database: Pick<Database, "sqlite">): void {
  const lost = lostFrom(database);
  if (lost.length > 0) throw new DatabaseDoubted(lost.join("; "));
}

/**
 * Tables and columns of ours that a database lacks: what was in them is lost. That may be keys of what
 * tills have sent, so nobody makes them anew and goes on.
 * @returns a line each; empty where there is nothing of ours, or what another version has made
 * @throws the database's error
 */
export function lostFrom(database: Pick<Database, "sqlite">): readonly string[] {
  const there = columnsIn(database.sqlite);
  const newest = ownSchema(MIGRATIONS.length).columns;
  const ofHistory = lacking(there, new Map([...newest].filter(([table]) => table === HISTORY)));
  if (ofHistory.length > 0) return isOurs(there) ? ofHistory : [];
  let applied: number | undefined;
  try {
    applied = appliedTo(database);
  } catch (error) {
    if (error instanceof DatabaseDoubted) return [error.message];
    throw error;
  }
  if (applied === undefined) return [];
  if (applied === 0) return isOurs(there) ? [`the table ${HISTORY} is empty`] : [];
  const lost = lacking(there, ownSchema(applied).columns);
  if (lost.length <= TOLD_LOST_MAX) return lost;
  return [...lost.slice(0, TOLD_LOST_MAX), `and ${lost.length - TOLD_LOST_MAX} more`];
}

function lacking(there: Columns, own: Columns): string[] {
  return [...own].flatMap(([table, columns]) => {
    const found = there.get(table);
    if (found === undefined) return [`the table ${table} is missing`];
    return [...columns]
      .filter((column) => !found.has(column))
      .map((column) => `the table ${table} lacks the column ${column}`);
  });
}

/** True where most of the tables are that each of our versions has made. */
function isOurs(there: Columns): boolean {
  const first = [...ownSchema(1).columns.keys()];
  return 2 * first.filter((table) => there.has(table)).length > first.length;
}

function foreignIn(
  sqlite: Sqlite,
  own: Own,
  what: { readonly tables: boolean },
): readonly SchemaObject[] {
  return objectsIn(sqlite).filter((one) =>
    one.type === "table" ? what.tables && !own.has(textOf(one)) : !isOwn(one, own),
  );
}

function alteredTables(sqlite: Sqlite, own: Own): SchemaObject[] {
  return objectsIn(sqlite).filter(
    (one) => one.type === "table" && own.has(textOf(one)) && !isOwn(one, own),
  );
}

function alteredIn(sqlite: Sqlite, own: Own): readonly string[] {
  return told([...alteredTables(sqlite, own), ...goneFrom(sqlite, own)], new Map());
}

/** Indexes of ours that the database lacks. */
function goneFrom(sqlite: Sqlite, own: Own): SchemaObject[] {
  const there = new Set(objectsIn(sqlite).map(textOf));
  return [...own].flatMap(([text, sql]) => {
    const [type, name = ""] = text.split(" ");
    return type === "index" && !there.has(text) ? [{ type, name, sql }] : [];
  });
}

/** Whether two rows are alike of which a unique index allows one. */
function hasTwins(sqlite: Sqlite, sql: string): boolean {
  const [, table, columns] = /^CREATE UNIQUE INDEX \S+ ON (\S+) \(([^()]+)\)$/.exec(sql) ?? [];
  if (table === undefined || columns === undefined) return false;
  const areGiven = columns
    .split(",")
    .map((column) => `${column} IS NOT NULL`)
    .join(" AND ");
  const twins = `SELECT 1 FROM ${table} WHERE ${areGiven} GROUP BY ${columns} HAVING count(*) > 1 LIMIT 1`;
  return sqlite.prepare(twins).get() !== undefined;
}

/** Two rows that are alike keep a unique index from being made: somebody has to look at them. */
function makeIfPossible(sqlite: Sqlite, sql: string): void {
  try {
    sqlite.exec(sql);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "SQLITE_CONSTRAINT_UNIQUE") throw error;
  }
}

function told(found: readonly SchemaObject[], own: Own): string[] {
  const names = found.slice(0, TOLD_MAX).map((one) => {
    const text = textOf(one);
    return own.has(text) ? `altered ${text}` : text;
  });
  const more = found.length - names.length;
  return more === 0 ? names : [...names, `${more} more`];
}

function isOwn(one: SchemaObject, own: Own): boolean {
  const sql = own.get(textOf(one));
  return sql !== undefined && (sql === one.sql || wordsOf(sql) === wordsOf(one.sql));
}

/**
 * A statement's words with one blank between them: SQLite keeps it as it was typed, and writes it anew
 * with other marks around names where a later statement alters or renames a table.
 */
function wordsOf(sql: string): string {
  const words = sql.match(WORDS) ?? [];
  return words
    .filter((word) => !/^(\s|--|\/\*)/.test(word))
    .map((word) => (/^["`[]/.test(word) ? word.slice(1, -1) : word))
    .map((word) => (word.startsWith("'") ? word : word.toLowerCase()))
    .join(" ");
}
const WORDS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\s+|[\w$]+|\S/g;

/** What a database has to which the same migrations were applied. */
function ownObjects(database: Pick<Database, "sqlite">): Own {
  if (objectsIn(database.sqlite).length === 0) return new Map();
  return ownSchema(MIGRATIONS.length - pendingMigrations(database).length).objects;
}

/** How many of our migrations it has; undefined for one of another version, as whoever opens it is told. */
function appliedTo(database: Pick<Database, "sqlite">): number | undefined {
  try {
    return MIGRATIONS.length - pendingMigrations(database).length;
  } catch (error) {
    if (error instanceof SchemaMismatch) return undefined;
    throw error;
  }
}
