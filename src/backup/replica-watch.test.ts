/** Whether the live copy elsewhere goes on, by the files that Litestream 0.3 keeps beside the database. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { uncopied } from "./replica.ts";
import { ReplicaWatch } from "./replica-watch.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const AT = Date.UTC(2026, 10, 29, 12);
const STALLED = `replica_stalled {"at":"2026-11-29T12:00:00.000Z"}`;

let folder: string;
let clock: FakeClock;
let isWanted: boolean;
let told: string[];
let watch: ReplicaWatch;
let stopping: AbortController;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-replica-"));
  clock = new FakeClock(AT);
  [isWanted, told, stopping] = [true, [], new AbortController()];
  watch = new ReplicaWatch({
    isWanted: () => isWanted,
    look: () => uncopied(folder),
    ...{ clock, log: createLog({ level: "silent", clock }) },
    tell: ({ code }) => told.push(code),
  });
});
afterEach(() => {
  stopping.abort();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a file as of a moment. @param ms behind the hour */
function write(path: string, ms: number, text = ""): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, new Date(AT + ms), new Date(AT + ms));
}

/** What Litestream keeps, of that number. */
function part(number: number, ms: number): void {
  write(".fiscald.db-litestream/generation", 0, "0123456789abcdef\n");
  write(`${PARTS}/0000000${number}.wal`, ms);
}
const PARTS = ".fiscald.db-litestream/generations/0123456789abcdef/wal";

function problem(): string | undefined {
  const found = watch.problem();
  return found && `${found.code} ${JSON.stringify(found.params)}`;
}

test("a copy that goes on is well, however long nothing is written", async () => {
  part(1, 0);
  part(2, MINUTE_MS);
  write("fiscald.db-wal", MINUTE_MS);
  watch.start(stopping.signal);
  await clock.advanceAsync(48 * HOUR_MS);
  expect([problem(), told]).toEqual([undefined, []]);
});

test("one of which nothing more is taken is told after an hour, and each day; it is well when more is", async () => {
  for (const number of [1, 2, 3]) part(number, (number - 1) * MINUTE_MS);
  watch.start(stopping.signal);
  await clock.advanceAsync(HOUR_MS - 1);
  expect([problem(), told]).toEqual([undefined, []]);
  // More waits, and what waited does still; the wall clock is nothing to go by.
  part(4, 5 * MINUTE_MS);
  clock.jumpTo(AT - 48 * HOUR_MS);
  await clock.advanceAsync(MINUTE_MS);
  expect([problem(), told]).toEqual([STALLED, ["replica_stalled"]]);
  await clock.advanceAsync(24 * HOUR_MS);
  expect(told).toEqual(["replica_stalled", "replica_stalled"]);
  rmSync(join(folder, `${PARTS}/00000001.wal`));
  await clock.advanceAsync(MINUTE_MS);
  expect(problem()).toBeUndefined();
});

test("one of which Litestream reads nothing more, or never did, is told too", async () => {
  watch.start(stopping.signal);
  await clock.advanceAsync(HOUR_MS);
  expect(problem()).toBe("replica_not_begun {}");
  part(1, 0);
  write("fiscald.db-wal", 2 * MINUTE_MS);
  await clock.advanceAsync(MINUTE_MS);
  expect(problem()).toBeUndefined();
  await clock.advanceAsync(HOUR_MS);
  expect(problem()).toBe(STALLED);
  expect(told).toEqual(["replica_not_begun", "replica_stalled"]);
});

test("where nobody wants one, or another version makes it, nothing is said", async () => {
  write(".fiscald.db-litestream/ltx/0/0000000000000001-0000000000000001.ltx", 0);
  watch.start(stopping.signal);
  await clock.advanceAsync(2 * HOUR_MS);
  expect(problem()).toBeUndefined();
  rmSync(join(folder, ".fiscald.db-litestream"), { recursive: true });
  await clock.advanceAsync(2 * HOUR_MS);
  expect(problem()).toBe("replica_not_begun {}");
  isWanted = false;
  expect([problem(), watch.isOn]).toEqual([undefined, false]);
});
