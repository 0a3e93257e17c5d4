/** What a database holds besides that which the migrations made: others' triggers, views, indexes, tables. */

import { type Database, openDatabase } from "./connection.ts";
import { migrate, pendingMigrations, SchemaMismatch } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Sqlite } from "./sqlite.ts";

interface SchemaObject {
  readonly type: "table" | "index" | "trigger" | "view";
  readonly name: string;
}

/** So many are told by name. */
const TOLD_MAX = 20;
/** Tables of SQLite itself, and of Litestream, which copies the database elsewhere. */
const OTHERS_TABLES = /^(sqlite_(sequence|stat[134])|_litestream_\w+)$/;
/** What acts on others goes first, a virtual table before those that it keeps itself in. */
const OBJECTS =
  "SELECT type, name FROM sqlite_schema WHERE type <> 'index' OR sql IS NOT NULL " +
  "ORDER BY type = 'trigger' DESC, type = 'view' DESC, type = 'index' DESC, rootpage";

/**
 * Removes from a database what no migration of this program has made, as a trigger that deletes
 * receipts. It belongs before anything is written there, `migrate` included.
 * @param what.tables also tables, with all that is in them; alone they do nothing
 * @returns what was removed, as `trigger evil`: some by name, and how many more there were
 * @throws SchemaMismatch as `migrate` does, or when something cannot be removed; nothing is changed then
 */
export function removeForeign(
  database: Database,
  what: { readonly tables: boolean },
): readonly string[] {
  const { sqlite } = database;
  if (objectsIn(sqlite).length === 0) return [];
  const own = ownObjects(MIGRATIONS.length - pendingMigrations(database).length);
  const foreign = (): SchemaObject[] =>
    objectsIn(sqlite).filter(
      (one) => !own.has(textOf(one)) && (what.tables || one.type !== "table"),
    );
  const found = foreign();
  if (found.length === 0) return [];
  try {
    sqlite
      .transaction(() => {
        for (const { type, name } of found) {
          sqlite.exec(`DROP ${type} IF EXISTS "${name.replaceAll('"', '""')}"`);
        }
        if (foreign().length > 0) throw new Error("it is there still");
      })
      .immediate();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const names = told(found).join(", ");
    throw new SchemaMismatch(
      `the database holds what fiscald has not made, and it cannot be removed (${reason}): ${names}`,
    );
  }
  return told(found);
}

function told(found: readonly SchemaObject[]): string[] {
  const names = found.slice(0, TOLD_MAX).map(textOf);
  const more = found.length - names.length;
  return more === 0 ? names : [...names, `${more} more`];
}

/** What a database has of which so many migrations were applied. */
function ownObjects(applied: number): ReadonlySet<string> {
  const fresh = openDatabase(":memory:");
  try {
    migrate(fresh, 0, MIGRATIONS.slice(0, applied));
    return new Set(objectsIn(fresh.sqlite).map(textOf));
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
function textOf({ type, name }: SchemaObject): string {
  return `${type} ${name.replaceAll(/\p{C}/gu, "?")}`;
}
