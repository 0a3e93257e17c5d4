/**
 * What a database holds besides that which the migrations made: others' triggers, views, indexes,
 * tables, and our own that others have altered.
 */

import { type Database, openDatabase } from "./connection.ts";
import { migrate, pendingMigrations, SchemaMismatch } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Sqlite } from "./sqlite.ts";

interface SchemaObject {
  readonly type: "table" | "index" | "trigger" | "view";
  readonly name: string;
  readonly sql: string;
}

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
/** Tables of SQLite itself, and of Litestream, which copies the database elsewhere. */
const OTHERS_TABLES = /^(sqlite_(sequence|stat[134])|_litestream_\w+)$/;
/** What acts on others goes first, a virtual table before those that it keeps itself in. */
const OBJECTS =
  "SELECT type, name, sql FROM sqlite_schema WHERE type <> 'index' OR sql IS NOT NULL " +
  "ORDER BY type = 'trigger' DESC, type = 'view' DESC, type = 'index' DESC, rootpage";

/**
 * Removes from a database what no migration of this program has made, as a trigger that deletes
 * receipts, and makes indexes of ours anew that others have altered or removed: lists name the index
 * that they read. It belongs before anything is written there, `migrate` included.
 * @param what.tables also tables, with all that is in them; alone they do nothing
 * @throws SchemaMismatch as `migrate` does, or when something cannot be removed; nothing is changed then
 */
export function removeForeign(database: Database, what: { readonly tables: boolean }): Findings {
  const { sqlite } = database;
  const own = ownObjects(database);
  const foreign = (): SchemaObject[] =>
    objectsIn(sqlite).filter((one) =>
      one.type === "table" ? what.tables && !own.has(textOf(one)) : !isOwn(one, own),
    );
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

/**
 * Looks for tables of ours that are not as the migrations make them, and indexes that are gone.
 * @returns as of `removeForeign`
 * @throws SchemaMismatch as `migrate` does
 */
export function alteredTables(database: Database): readonly string[] {
  return alteredIn(database.sqlite, ownObjects(database));
}

function alteredIn(sqlite: Sqlite, own: Own): readonly string[] {
  const tables = objectsIn(sqlite).filter(
    (one) => one.type === "table" && own.has(textOf(one)) && !isOwn(one, own),
  );
  return told([...tables, ...goneFrom(sqlite, own)], new Map());
}

/** Indexes of ours that the database lacks. */
function goneFrom(sqlite: Sqlite, own: Own): SchemaObject[] {
  const there = new Set(objectsIn(sqlite).map(textOf));
  return [...own].flatMap(([text, sql]) => {
    const [type, name = ""] = text.split(" ");
    return type === "index" && !there.has(text) ? [{ type, name, sql }] : [];
  });
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

/** The text of each by what it is called. */
type Own = ReadonlyMap<string, string>;

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
function ownObjects(database: Database): Own {
  if (objectsIn(database.sqlite).length === 0) return new Map();
  const applied = MIGRATIONS.length - pendingMigrations(database).length;
  const fresh = openDatabase(":memory:");
  try {
    migrate(fresh, 0, MIGRATIONS.slice(0, applied));
    return new Map(objectsIn(fresh.sqlite).map((one) => [textOf(one), one.sql]));
  } finally {
    fresh.close();
  }
}

/** All but what SQLite makes by itself. */
function objectsIn(sqlite: Sqlite): SchemaObject[] {
  return sqlite
    .prepare<[], SchemaObject>(OBJECTS)
    .all()
    .filter(({ type, name }) => type !== "table" || !OTHERS_TABLES.test(name));
}

/** To be told, too: whoever chose such a name may have meant it for a terminal. */
function textOf({ type, name }: Pick<SchemaObject, "type" | "name">): string {
  return `${type} ${name.replaceAll(/\p{C}/gu, "?")}`;
}
