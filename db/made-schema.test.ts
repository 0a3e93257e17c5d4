/** The schema that is written beside the migrations. */

import { expect, test } from "bun:test";
import { type Database, openDatabase } from "./connection.ts";
import { bringToNewest, columnsIn, objectsIn, writtenSchema } from "./made-schema.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import newest from "./migrations/newest-schema.json" with { type: "json" };

test("what stands beside the migrations is what they make: bun scripts/newest-schema.ts", () => {
  expect<unknown>(newest).toEqual(writtenSchema());
});

test("an empty database is made as all migrations make it, with all that they leave in it", () => {
  const [made, migrated] = [openDatabase(":memory:"), openDatabase(":memory:")];
  expect(bringToNewest(made, 7)).toEqual(migrate(migrated, 7));
  expect(contentOf(made)).toEqual(contentOf(migrated));
  expect(made.sqlite.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(migrate(made, 8)).toEqual([]);
});

test("a database with some of the migrations gets the others", () => {
  const database = openDatabase(":memory:");
  migrate(database, 1, MIGRATIONS.slice(0, 3));
  expect(bringToNewest(database, 2)).toEqual(MIGRATIONS.slice(3).map(({ name }) => name));
  expect(bringToNewest(database, 3)).toEqual([]);
});

test("an empty database stays empty where not all of it can be made", () => {
  const database = openDatabase(":memory:");
  const { sqlite } = database;
  // As on a disk without room.
  sqlite.pragma("max_page_count = 20");
  expect(() => bringToNewest(database, 1)).toThrow("full");
  sqlite.pragma("max_page_count = 100000");
  expect(objectsIn(sqlite)).toEqual([]);
  expect(bringToNewest(database, 1)).toHaveLength(MIGRATIONS.length);
});

/** What is in it, in whatever order it was made: each table has its rows. */
function contentOf({ sqlite }: Database) {
  const objects = objectsIn(sqlite).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const tables = objects.filter(({ type }) => type === "table").map(({ name }) => name);
  const rows = tables.map((name) => [name, sqlite.prepare(`SELECT * FROM "${name}"`).all()]);
  const settings = ["user_version", "application_id", "encoding", "auto_vacuum"];
  return {
    objects,
    columns: columnsIn(sqlite),
    rows: Object.fromEntries(rows),
    settings: settings.map((name) => sqlite.pragma(name)),
    layout: tables.map((name) => sqlite.pragma(`table_xinfo("${name}")`)),
    keys: tables.map((name) => sqlite.pragma(`foreign_key_list("${name}")`)),
  };
}
