import { expect, test } from "bun:test";
import { openDatabase } from "./connection.ts";
import { migrate, SchemaMismatch } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";

test("applies every migration once", () => {
  const database = openDatabase(":memory:");
  expect(migrate(database, 1)).toEqual(MIGRATIONS.map((migration) => migration.name));
  expect(migrate(database, 2)).toEqual([]);
});

test("refuses a database of a newer version and changes nothing", () => {
  const database = openDatabase(":memory:");
  const newer = { name: "9999_newer", sql: "CREATE TABLE newer (id INTEGER)" };
  migrate(database, 1, [...MIGRATIONS, newer]);
  const before = database.sqlite.prepare("SELECT * FROM schema_migrations").all();
  expect(() => migrate(database, 2)).toThrow(SchemaMismatch);
  expect(database.sqlite.prepare("SELECT * FROM schema_migrations").all()).toEqual(before);
});

test("refuses a migration whose text was changed after it was applied", () => {
  const database = openDatabase(":memory:");
  migrate(database, 1);
  const [first, ...rest] = MIGRATIONS;
  if (!first) throw new Error("no migration");
  const edited = [{ ...first, sql: `${first.sql}\n-- edited` }, ...rest];
  expect(() => migrate(database, 2, edited)).toThrow(SchemaMismatch);
});

test("undoes a migration that fails half way", () => {
  const database = openDatabase(":memory:");
  const broken = { name: "0001_broken", sql: "CREATE TABLE half (id INTEGER); SELECT nonsense;" };
  expect(() => migrate(database, 1, [...MIGRATIONS, broken])).toThrow("nonsense");
  const half = database.sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'half'").get();
  expect(half).toBeUndefined();
});

test("has every generated SQL file in its list", async () => {
  const journal = await Bun.file(`${import.meta.dir}/migrations/meta/_journal.json`).json();
  expect(MIGRATIONS.map((migration) => migration.name)).toEqual(
    journal.entries.map((entry: { tag: string }) => entry.tag),
  );
});
