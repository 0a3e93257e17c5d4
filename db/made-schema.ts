/**
 * What the migrations make. That of all of them stands in a file beside them: to run them takes a good
 * part of a start's work.
 */

import { type Database, openDatabase } from "./connection.ts";
import { migrate, noting } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import newest from "./migrations/newest-schema.json" with { type: "json" };
import type { Sqlite } from "./sqlite.ts";

/** A table, index, trigger or view of a database. */
export interface SchemaObject {
  readonly type: "table" | "index" | "trigger" | "view";
  readonly name: string;
  readonly sql: string;
}

/** The text of each by what it is called. */
export type Own = ReadonlyMap<string, string>;

/** The columns of each table, names in small letters. */
export type Columns = ReadonlyMap<string, ReadonlySet<string>>;

/** What there is after some of the migrations. */
export interface OwnSchema {
  readonly objects: Own;
  readonly columns: Columns;
}

const COLUMNS =
  "SELECT m.name, c.name AS column FROM sqlite_schema m, pragma_table_info(m.name) c " +
  "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'";
/** Tables of SQLite itself, and of Litestream, which copies the database elsewhere. */
const OTHERS_TABLES = /^(sqlite_(sequence|stat[134])|_litestream_\w+)$/;
/** What acts on others goes first, a virtual table before those that it keeps itself in. */
const OBJECTS =
  "SELECT type, name, sql FROM sqlite_schema WHERE type <> 'index' OR sql IS NOT NULL " +
  "ORDER BY type = 'trigger' DESC, type = 'view' DESC, type = 'index' DESC, rootpage";

/** The newest one, as `scripts/newest-schema.ts` writes it. */
export interface WrittenSchema {
  /** Name of the newest migration. */
  readonly migration: string;
  readonly objects: Readonly<Record<string, string>>;
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** By how many migrations were applied. */
const KNOWN = new Map<number, OwnSchema>();

/** What the first so many migrations make; read where it is that of all. */
export function ownSchema(applied: number): OwnSchema {
  const known = KNOWN.get(applied);
  if (known !== undefined) return known;
  const schema = applied === MIGRATIONS.length ? newestSchema() : makeSchema(applied);
  KNOWN.set(applied, schema);
  return schema;
}

function newestSchema(): OwnSchema {
  const { migration, objects, columns }: WrittenSchema = newest;
  // A migration is being written, and the file is not yet.
  if (migration !== MIGRATIONS.at(-1)?.name) return makeSchema(MIGRATIONS.length);
  const sets = Object.entries(columns).map(([table, names]) => [table, new Set(names)] as const);
  return { objects: new Map(Object.entries(objects)), columns: new Map(sets) };
}

/**
 * Brings a database to the newest schema as `migrate` does, and an empty one at once: forty migrations,
 * each on disk before the next, are half of what a first start waits for.
 * @param now UTC milliseconds, noted with each
 * @returns names of the migrations of which it had not what they make
 * @throws as `migrate` does
 */
export function bringToNewest(database: Database, now: number): string[] {
  const { sqlite } = database;
  if (objectsIn(sqlite).length > 0) return migrate(database, now);
  const made = [...ownSchema(MIGRATIONS.length).objects];
  const isTable = ([text]: readonly [string, string]) => text.startsWith("table ");
  // Triggers and views stand before the indexes, as they are to be removed.
  const inOrder = [...made.filter(isTable), ...made.filter((one) => !isTable(one)).reverse()];
  sqlite
    .transaction(() => {
      for (const [, sql] of inOrder) sqlite.exec(sql);
      MIGRATIONS.forEach(noting(sqlite, now));
    })
    .immediate();
  return MIGRATIONS.map(({ name }) => name);
}

/** What the first so many migrations make, made by running them. */
export function makeSchema(applied: number): OwnSchema {
  const fresh = openDatabase(":memory:");
  try {
    migrate(fresh, 0, MIGRATIONS.slice(0, applied));
    const objects = new Map(objectsIn(fresh.sqlite).map((one) => [textOf(one), one.sql]));
    return { objects, columns: columnsIn(fresh.sqlite) };
  } finally {
    fresh.close();
  }
}

/** The newest one to be written, made by running all migrations. */
export function writtenSchema(): WrittenSchema {
  const { objects, columns } = makeSchema(MIGRATIONS.length);
  return {
    migration: MIGRATIONS.at(-1)?.name ?? "",
    objects: Object.fromEntries(objects),
    columns: Object.fromEntries([...columns].map(([table, names]) => [table, [...names]])),
  };
}

/** What was read of the schema of a database. */
interface Read {
  readonly version: unknown;
  columns?: Columns;
  objects?: readonly SchemaObject[];
}

const READ = new WeakMap<Sqlite, Read>();

/**
 * What is known of a schema, to be added to. SQLite counts its changes, whoever makes them: a start asks
 * for the same a dozen times.
 */
function readOf(sqlite: Sqlite): Read {
  const version = sqlite.pragma("schema_version", { simple: true });
  const known = READ.get(sqlite);
  if (known !== undefined && known.version === version) return known;
  const read: Read = { version };
  // What changes within a transaction may be taken back, and its number be given to another change.
  if (!sqlite.inTransaction) READ.set(sqlite, read);
  return read;
}

/** The columns of each table of a database, but for SQLite's own. @throws the database's error */
export function columnsIn(sqlite: Sqlite): Columns {
  const read = readOf(sqlite);
  read.columns ??= readColumns(sqlite);
  return read.columns;
}

function readColumns(sqlite: Sqlite): Columns {
  const found = new Map<string, Set<string>>();
  for (const { name, column } of sqlite.prepare<[], TableColumn>(COLUMNS).all()) {
    const table = name.toLowerCase();
    const columns = found.get(table) ?? new Set();
    found.set(table, columns.add(column.toLowerCase()));
  }
  return found;
}

interface TableColumn {
  readonly name: string;
  readonly column: string;
}

/** All but what SQLite makes by itself. */
export function objectsIn(sqlite: Sqlite): readonly SchemaObject[] {
  const read = readOf(sqlite);
  read.objects ??= readObjects(sqlite);
  return read.objects;
}

function readObjects(sqlite: Sqlite): SchemaObject[] {
  return sqlite
    .prepare<[], SchemaObject>(OBJECTS)
    .all()
    .filter(({ type, name }) => type !== "table" || !OTHERS_TABLES.test(name));
}

/** To be told, too: whoever chose such a name may have meant it for a terminal. */
export function textOf({ type, name }: Pick<SchemaObject, "type" | "name">): string {
  return `${type} ${name.replaceAll(/\p{C}/gu, "?")}`;
}
