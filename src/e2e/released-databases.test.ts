/**
 * What every release left behind, as this version finds it: each database in db/testdata is brought
 * to this version's schema, and the API answers as that release did.
 */

import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { openDatabase } from "#db/connection.ts";
import { startApp } from "../app/runtime.ts";
import { loadConfig } from "../config/load-config.ts";
import { startsFile } from "../config/state-files.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { Box } from "./harness/box.ts";
import { ApiClient, type ShownCommand } from "./harness/gateway.ts";
import { type Facts, loggedIn } from "./released/history.ts";

const FOLDER = join(import.meta.dir, "../../db/testdata");
const HOUR_MS = 3_600_000;
/**
 * Tables that this history does not fill: a question that is open while a person has settled what it
 * is about, and the closing of a day by the gateway itself.
 */
const EMPTY = ["closings", "open_questions"];

/** Goes on an hour after a history ended, in whichever year that was. */
function clockAfter(at: number): Clock {
  const begin = systemClock.elapsed();
  return { ...systemClock, now: () => at + HOUR_MS + Math.floor(systemClock.elapsed() - begin) };
}

/** Fields that go on changing while nobody changes anything. */
const MOVING = /^(last\w+|failureCount|updatedAt|connected|usage|status|connectedAt)$/;

/** The entries of a list in an answer, or the answer itself, without what is moving. */
function itemsOf(answer: unknown): object[] {
  if (answer === null || typeof answer !== "object") return [];
  const list = Object.values(answer).find((value) => Array.isArray(value));
  const items: unknown[] = Array.isArray(list) ? list : [answer];
  return items.map((item) =>
    JSON.parse(JSON.stringify(item, (key, value) => (MOVING.test(key) ? undefined : value))),
  );
}

/** As the release left it: without its count of starts this is a state put back from a copy. */
function keepStarts(stateDir: string, database: string): void {
  const { sqlite, close } = openDatabase(database);
  const starts = sqlite
    .prepare<[], { value: string }>("SELECT value FROM appliance_values WHERE name = 'starts'")
    .get();
  const event = sqlite.prepare<[], { seq: number }>("SELECT max(seq) AS seq FROM events").get();
  close();
  const [first, second] = [starts?.value, event?.seq].map((each) => String(each).padStart(16, "0"));
  mkdirSync(dirname(startsFile(stateDir)));
  writeFileSync(startsFile(stateDir), `${first} ${second}\n`);
}

const RELEASES = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));

test("there is one of this major version at least", () => {
  expect(RELEASES).not.toEqual([]);
});

describe.each(RELEASES)("the database of %s", (name) => {
  const facts: Facts = JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
  const packed = readFileSync(join(FOLDER, name.replace(".json", ".db.gz")));

  /** Runs this version's gateway on it. */
  async function inShop(use: (url: string) => Promise<void>): Promise<void> {
    const box = new Box();
    mkdirSync(box.stateDir, { mode: 0o700 });
    const file = join(box.stateDir, "fiscald.db");
    writeFileSync(file, gunzipSync(packed));
    keepStarts(box.stateDir, file);
    const clock = clockAfter(facts.at);
    const flags = new Map([
      ["state.dir", box.stateDir],
      ["http.listen", "127.0.0.1:0"],
    ] as const);
    const surroundings = { environment: {}, pid: process.pid };
    const { config } = loadConfig({ flags, file: undefined }, surroundings);
    const log = createLog({ level: "error", clock, sink: { write: () => undefined } });
    const app = await startApp(config, { version: "0.0.0-test", log, clock });
    try {
      await use(app.url);
    } finally {
      await app.stop();
      await box.clear();
    }
  }

  test("has a row in every table", () => {
    const box = new Box();
    try {
      mkdirSync(box.stateDir);
      const file = join(box.stateDir, "fiscald.db");
      writeFileSync(file, gunzipSync(packed));
      const { sqlite, close } = openDatabase(file);
      const tables = sqlite
        .prepare<[], { name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
        )
        .all()
        .map(({ name: table }) => table);
      const empty = tables.filter(
        (table) => sqlite.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined,
      );
      close();
      expect(empty.sort()).toEqual(EMPTY);
    } finally {
      void box.clear();
    }
  });

  test("is answered from as that release did", () =>
    inShop(async (url) => {
      const member = await loggedIn(url, facts);
      for (const [path, before] of Object.entries(facts.answers)) {
        const now: unknown = await member.expect("GET", path);
        // What the gateway does of itself meanwhile, or by this login, comes on top.
        // So do fields that answers have gained since.
        for (const item of itemsOf(before)) {
          expect(itemsOf(now)).toContainEqual(expect.objectContaining(item));
        }
      }
    }));

  test("keeps every command, every answered key and every credential", () =>
    inShop(async (url) => {
      const till = new ApiClient(url, facts.key);
      const commands = await till.list();
      expect(commands.map(({ id }) => id)).toEqual(Object.keys(facts.commands));
      for (const { id, status } of commands) {
        const before = facts.commands[id];
        const isOver = before === "completed" || before === "failed" || before === "timeout";
        if (isOver) expect([id, status]).toEqual([id, before]);
      }
      const { idempotencyKey, body, commandId } = facts.repeat;
      const again = await till.call<{ command: ShownCommand }>("POST", "/commands", {
        ...{ body, headers: { "Idempotency-Key": idempotencyKey } },
      });
      expect([again.status, again.body]).toMatchObject([202, { command: { id: commandId } }]);
      expect((await new ApiClient(url, facts.revoked).call("GET", "/receipts")).status).toBe(401);
    }));
});
