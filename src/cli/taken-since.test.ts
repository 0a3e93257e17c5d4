/** What goes back from an upgrade asks: whether a database holds what the shop has taken since. */

import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { executable } from "../e2e/harness/program.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { systemClock } from "../platform/clock.ts";

let program: string;
beforeAll(async () => {
  program = await executable();
});

const NOW = systemClock.now();
const NONE = "fiscald: no command was taken since then\n";

let folder: string;
let database: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-taken-"));
  // Stays open, as it does in a gateway that runs meanwhile.
  database = openDatabase(join(folder, "fiscald.db"));
  migrate(database, NOW);
  database.sqlite.pragma("foreign_keys = OFF");
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const seconds = (ms: number): string => String(Math.floor(ms / 1_000));
/** @param since UTC milliseconds */
const check = (since: number) =>
  runToEnd([program, "check", "--state-dir", folder, "--taken-since", seconds(since)], {
    cwd: folder,
  });

/** @param at UTC milliseconds */
function take(at: number): void {
  database.sqlite
    .prepare(
      `INSERT INTO commands (id, org_id, device_id, type, payload, status, source, created_at,
          updated_at, expires_at) VALUES (?, 'org', 'dev_1', 'x_report', '{}', 'pending', 'api', ?, ?, ?)`,
    )
    .run(Bun.randomUUIDv7(), at, at, at);
}

/** A receipt that a till has printed itself. @param at UTC milliseconds */
function store(at: number): void {
  database.sqlite
    .prepare(
      `INSERT INTO receipts (id, org_id, device_id, type, issued_at, currency, items, subtotal_modifiers,
          payments, total_minor, source, created_at)
        VALUES (?, 'org', 'dev_1', 'sale', ?, 'RON', '[]', '[]', '[]', 100, 'api', ?)`,
    )
    .run(Bun.randomUUIDv7(), at, at);
}

/** Overwrites the first page of a table or index of the closed database. */
function damage(name: string): void {
  const { sqlite } = database;
  const pageOf = "SELECT rootpage FROM sqlite_master WHERE name = ?";
  const page = Number(sqlite.prepare(pageOf).pluck().get(name));
  const bytes = Number(sqlite.pragma("page_size", { simple: true }));
  database.close();
  const file = openSync(join(folder, "fiscald.db"), "r+");
  writeSync(file, Buffer.alloc(bytes, 0xff), 0, bytes, (page - 1) * bytes);
  closeSync(file);
}

test.each([
  { what: "a command", make: take },
  { what: "a receipt that a till has printed itself, and stored,", make: store },
])("$what counts from when it was taken", async ({ make }) => {
  const none = { code: 1, err: NONE };
  expect(await check(NOW)).toMatchObject(none);
  make(NOW);
  expect(await check(NOW - 5_000)).toMatchObject({ code: 0, err: "" });
  expect(await check(NOW + 5_000)).toMatchObject(none);
});

test.each(["users_by_org", "receipts"])(
  "of a database with a damaged %s what can be read counts; that there is no more nobody can say",
  async (name) => {
    take(NOW);
    damage(name);
    expect(await check(NOW - 5_000)).toMatchObject({ code: 0, err: "" });
    const hidden = await check(NOW + 5_000);
    expect([hidden.code, hidden.err]).toEqual([1, expect.stringContaining("damaged")]);
  },
);
