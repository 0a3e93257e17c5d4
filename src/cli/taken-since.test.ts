/** What goes back from an upgrade asks: whether a database holds what the shop has taken since. */

import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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
const NONE = { code: 6, err: "fiscald: nothing was taken since then\n" };

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

const saved = () => join(folder, "saved/fiscald.db");
const seconds = (ms: number): string => String(Math.floor(ms / 1_000));

/** The database as it was then. */
function save(log: "beside it" | "folded into it" = "beside it"): void {
  mkdirSync(dirname(saved()), { recursive: true });
  if (log === "folded into it") database.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  const parts = log === "beside it" ? ["", "-wal"] : [""];
  for (const part of parts) copyFileSync(`${folder}/fiscald.db${part}`, saved() + part);
}

/** @param until end of the time in which a new version is watched, from NOW on; UTC milliseconds */
const check = (until = NOW + 300_000, from = NOW) =>
  runToEnd(
    [
      ...[program, "check", "--state-dir", folder, "--taken-beyond", saved()],
      ...["--saved-at", seconds(from), "--watch-until", seconds(until)],
    ],
    { cwd: folder },
  );

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

const KINDS = [
  { what: "a command", make: take },
  { what: "a receipt that a till has printed itself, and stored,", make: store },
];

test.each(KINDS)("$what counts from the end of the watch", async ({ make }) => {
  save();
  expect(await check()).toMatchObject(NONE);
  make(NOW + 1_000);
  expect(await check()).toMatchObject(NONE);
  make(NOW + 301_000);
  expect(await check()).toMatchObject({ code: 0, err: "" });
});

test.each(KINDS)(
  "$what that is not in the saved database counts from before that",
  async ({ make }) => {
    // By a clock that was set back since.
    make(NOW - 1_000);
    save();
    expect(await check()).toMatchObject(NONE);
    make(NOW - 7_200_000);
    expect(await check()).toMatchObject({ code: 0, err: "" });
  },
);

test.each(KINDS)("$what in the saved database never counts", async ({ make }) => {
  // By a clock that was ahead, and by one that was behind.
  make(NOW + 7_200_000);
  make(NOW - 7_200_000);
  save();
  expect(await check()).toMatchObject(NONE);
  make(NOW + 301_000);
  expect(await check()).toMatchObject({ code: 0, err: "" });
});

test("all that came since is counted where no time is named", async () => {
  take(NOW);
  save();
  for (const make of [take, take, store]) make(NOW);
  const words = [program, "check", "--state-dir", folder, "--taken-beyond", saved()];
  expect(await runToEnd(words, { cwd: folder })).toMatchObject({
    ...{ code: 0, out: "commands: 2, receipts: 1\n" },
  });
});

test("one that has the number of one that was removed counts", async () => {
  take(NOW - 1_000);
  save("folded into it");
  database.sqlite.exec("DELETE FROM commands");
  take(NOW - 1_000);
  expect(await check()).toMatchObject({ code: 0, err: "" });
});

/** Saves some of each kind, and numbers them anew then, as a migration does that changes a constraint, and a repair. */
function renumber(): void {
  for (const make of [take, store]) for (let row = 0; row < 3; row += 1) make(NOW - 1_000);
  database.sqlite.exec("DELETE FROM commands WHERE seq = 1; DELETE FROM receipts WHERE rowid = 1");
  save();
  database.sqlite.exec(`CREATE TABLE kept AS SELECT * FROM receipts ORDER BY rowid; DELETE FROM receipts;
    INSERT INTO receipts SELECT * FROM kept ORDER BY rowid;
    UPDATE commands SET seq = -seq; UPDATE commands SET seq = -seq - 1`);
}

test("a table that was made anew since counts from the same row on", async () => {
  renumber();
  expect(await check()).toMatchObject(NONE);
  for (const make of [take, store]) make(NOW - 1_000);
  expect(await check()).toMatchObject({ code: 0, err: "" });
});

test.each([
  { index: "commands_by_id", make: take },
  { index: "sqlite_autoindex_receipts_1", make: store },
])("so does one whose $index is damaged", async ({ index, make }) => {
  renumber();
  make(NOW - 1_000);
  damage(index);
  expect(await check()).toMatchObject({ code: 0, err: "" });
});

test("which makes nothing new of what was in the saved one", async () => {
  renumber();
  damage("commands_by_id");
  expect(await check()).toMatchObject({ code: 1, err: expect.stringContaining("damaged") });
});

test.each(["gone", "damaged"])("nobody knows where the saved one is %s", async (how) => {
  mkdirSync(dirname(saved()));
  if (how === "damaged") writeFileSync(saved(), "of no database".repeat(500));
  const { code, err } = await check();
  expect([code, err]).toEqual([3, expect.stringContaining("the saved database cannot be read")]);
});

test.each(["users_by_org", "receipts"])(
  "of a database with a damaged %s what can be read counts; that there is no more nobody can say",
  async (name) => {
    save();
    take(NOW);
    damage(name);
    expect(await check(NOW - 5_000, NOW - 10_000)).toMatchObject({ code: 0, err: "" });
    const hidden = await check(NOW + 5_000);
    expect([hidden.code, hidden.err]).toEqual([1, expect.stringContaining("damaged")]);
  },
);

test("a database of a later version is told from a damaged one by the exit code of migrate", async () => {
  const later = "INSERT INTO schema_migrations (name, hash, applied_at) VALUES ('9999', '', 0)";
  database.sqlite.exec(later);
  const words = [program, "migrate", "--state-dir", folder];
  expect(await runToEnd(words, { cwd: folder })).toMatchObject({
    ...{ code: 5, err: expect.stringContaining("of a newer version") },
  });
});

test("an option of later versions is refused in words by which what goes back knows that", async () => {
  const words = [program, "check", "--state-dir", folder, "--taken-later", saved()];
  expect(await runToEnd(words, { cwd: folder })).toMatchObject({
    ...{ code: 2, err: expect.stringContaining("unknown option '--taken-later'") },
  });
});
