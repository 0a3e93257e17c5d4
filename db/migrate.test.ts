import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "./connection.ts";
import { DatabaseDoubted } from "./doubts.ts";
import { migrate, SchemaMismatch } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { createStores } from "./stores/index.ts";
import { HISTORY, seedHistory } from "./testing/seed-history.ts";

test("applies every migration once", () => {
  const database = openDatabase(":memory:");
  expect(migrate(database, 1)).toEqual(MIGRATIONS.map((migration) => migration.name));
  expect(migrate(database, 2)).toEqual([]);
});

test.each(MIGRATIONS.slice(0, -1).map((_, index) => index + 1))(
  "brings a database file of the first %d migrations to this version with all its rows",
  (count) => {
    const folder = mkdtempSync(join(tmpdir(), "fiscald-migrate-"));
    try {
      const file = join(folder, "fiscald.db");
      const older = openDatabase(file);
      migrate(older, 1, MIGRATIONS.slice(0, count));
      seedHistory(older, { commands: 200, keys: { count: 20, at: 1 } });
      fillEmptyTables(older);
      const before = rowsOf(older);
      for (const rows of Object.values(before)) expect(rows).not.toEqual([]);
      older.close();

      const database = openDatabase(file);
      const names = MIGRATIONS.slice(count).map((migration) => migration.name);
      expect(migrate(database, 2)).toEqual(names);
      expect(rowsOf(database)).toMatchObject({ ...before, reversals: renamed(before) });
      expect(database.sqlite.pragma("integrity_check", { simple: true })).toBe("ok");
      expect(indexesOf(database)).toEqual(indexesOf(newDatabase()));
      const { orgId, commandId } = HISTORY;
      const page = { limit: 2, order: "desc", sortBy: "updatedAt" } as const;
      const found = [...createStores(database).commands.list(orgId, { status: "failed" }, page)];
      expect(found.flat().map((command) => command.id)).toEqual([159, 106].map(commandId));
      database.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

/** What was called by the sale that it counted on is called by the one that it was accepted for. */
function renamed({ reversals = [] }: ReturnType<typeof rowsOf>) {
  return reversals.map((row) => {
    const { original_receipt_id: accepted_for, ...others } = row as Record<string, unknown>;
    return { ...others, ...(accepted_for !== undefined && { accepted_for }) };
  });
}

/** A row in every table that has none: no step may lose it. Texts are JSON, which some steps read. */
function fillEmptyTables(database: Database): void {
  const { sqlite } = database;
  sqlite.pragma("foreign_keys = OFF");
  for (const [table, rows] of Object.entries(rowsOf(database))) {
    if (rows.length > 0) continue;
    const columns = sqlite
      .prepare<[string], { name: string; type: string }>(
        "SELECT name, type FROM pragma_table_info(?)",
      )
      .all(table);
    const values = columns.map(({ type }) => (/^int/i.test(type) ? "7" : "'{}'"));
    const names = columns.map(({ name }) => `"${name}"`);
    sqlite.exec(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${values.join(", ")})`);
  }
  sqlite.pragma("foreign_keys = ON");
}

function newDatabase(): Database {
  const database = openDatabase(":memory:");
  migrate(database, 1);
  return database;
}

/** Every row of every table but the list of migrations itself. */
function rowsOf({ sqlite }: Database): Record<string, unknown[]> {
  const names = sqlite
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' " +
        "AND name <> 'schema_migrations'",
    )
    .all();
  return Object.fromEntries(
    names.map(({ name }) => [name, sqlite.prepare(`SELECT * FROM ${name} ORDER BY rowid`).all()]),
  );
}

function indexesOf({ sqlite }: Database): unknown[] {
  return sqlite
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY 1")
    .all();
}

test("what was told as standing begins the history of alerts", () => {
  const database = openDatabase(":memory:");
  const names = MIGRATIONS.map(({ name }) => name);
  migrate(database, 1, MIGRATIONS.slice(0, names.indexOf("0019_past_alerts")));
  const alerts = JSON.stringify([
    { type: "paper_out", severity: "error", message: "Load paper", detectedAt: 5 },
    { type: "outcome_unknown", severity: "error", message: "", detectedAt: 6, commandId: "cmd_1" },
  ]);
  fillEmptyTables(database);
  database.sqlite.prepare("UPDATE devices SET id = 'dev_1', name = 'Counter'").run();
  database.sqlite.prepare("INSERT INTO told_alerts VALUES ('dev_1', ?)").run(alerts);
  migrate(database, 2);
  const { alert_history } = rowsOf(database);
  expect(alert_history).toMatchObject([
    { device_id: "dev_1", device_name: "Counter", type: "paper_out", detected_at: 5 },
    { type: "outcome_unknown", command_id: "cmd_1", ended_at: null, ended_as: null },
  ]);
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
  expect(() => migrate(database, 2, edited)).toThrow(DatabaseDoubted);
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
