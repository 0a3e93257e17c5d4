/** What goes back from an upgrade asks: whether a database holds what the shop has taken since. */

import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
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

describe("after the clock was set back", () => {
  const saved = () => join(folder, "saved/fiscald.db");
  /** By a clock that is two hours ahead. */
  const AHEAD = NOW + 7_200_000;
  /** The database as it was then. */
  function save(log: "beside it" | "folded into it" = "beside it"): void {
    mkdirSync(dirname(saved()));
    if (log === "folded into it") database.sqlite.pragma("wal_checkpoint(TRUNCATE)");
    const parts = log === "beside it" ? ["", "-wal"] : [""];
    for (const part of parts) copyFileSync(`${folder}/fiscald.db${part}`, saved() + part);
  }
  const checkSaved = () =>
    runToEnd(
      [
        ...[program, "check", "--state-dir", folder, "--taken-since", seconds(AHEAD + 300_000)],
        ...["--saved", saved(), "--saved-at", seconds(AHEAD)],
      ],
      { cwd: folder },
    );

  test.each([
    { what: "a command", make: take },
    { what: "a receipt", make: store },
  ])("$what that is not in the saved database counts, whatever its time", async ({ make }) => {
    make(NOW - 1_000);
    save();
    const none = { code: 1, err: NONE };
    expect(await checkSaved()).toMatchObject(none);
    // Within the time that a new version is watched, as before.
    make(AHEAD + 1_000);
    expect(await checkSaved()).toMatchObject(none);
    make(NOW);
    expect(await checkSaved()).toMatchObject({ code: 0, err: "" });
  });

  test("one that has the number of one that was removed counts", async () => {
    take(NOW - 1_000);
    save("folded into it");
    database.sqlite.exec("DELETE FROM commands");
    take(NOW);
    expect(await checkSaved()).toMatchObject({ code: 0, err: "" });
  });

  test.each(["gone", "damaged"])("nobody knows where the saved one is %s", async (how) => {
    mkdirSync(dirname(saved()));
    if (how === "damaged") writeFileSync(saved(), "of no database".repeat(500));
    const { code, err } = await checkSaved();
    expect([code, err]).toEqual([3, expect.stringContaining("the saved database cannot be read")]);
  });
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
