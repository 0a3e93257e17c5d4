import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { PURGE_ROWS_MAX } from "#db/stores/purge.ts";
import { seedHistory } from "#db/testing/seed-history.ts";
import { Writer } from "#db/writer.ts";
import { FakeClock } from "../platform/clock.ts";
import { CountedTime } from "../platform/counted-time.ts";
import { createLog } from "../platform/log.ts";
import { TimerQueue } from "../queue/timer-queue.ts";
import { purgeRegularly, watchOtherWriters } from "./upkeep.ts";

const KEYS = 3 * PURGE_ROWS_MAX + 1;
const HOUR_MS = 3_600_000;

let folder: string;
let database: Database;
let clock: FakeClock;
let writer: Writer;
let stopping: AbortController;
let errors: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-upkeep-"));
  database = openDatabase(join(folder, "fiscald.db"));
  migrate(database, 1);
  clock = new FakeClock();
  seedHistory(database, { commands: 100, keys: { count: KEYS, at: clock.now() + HOUR_MS } });
  // Sessions and their tokens are purged alike; here they would only blur the count.
  database.sqlite.exec("DELETE FROM user_sessions");
  writer = new Writer(database);
  stopping = new AbortController();
  errors = [];
  const log = createLog({ level: "error", clock, sink: { write: (line) => errors.push(line) } });
  const timers = new TimerQueue(clock);
  const stores = createStores(database);
  const time = new CountedTime(clock);
  purgeRegularly({ stores, writer, clock, time, timers, log, stopping: stopping.signal });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const keys = () =>
  Number(database.sqlite.prepare("SELECT count(*) FROM idempotency_keys").pluck().get());
/** Everything that was given to the writer is on disk, and what followed from it is done. */
const written = () => writer.run(() => undefined).then(() => clock.advanceAsync(0));

/** Lets time pass to the next purge, and what it removes be written. */
const nextPurge = async (): Promise<void> => {
  await clock.advanceAsync(clock.nextTimerMs ?? Number.NaN);
  await written();
};

test("a database that cannot be read is told of once, until that changes", () => {
  let fault: Error | undefined = new Error("disk I/O error");
  let look = (): void => undefined;
  const others = {
    onChange: () => undefined,
    look() {
      if (fault) throw fault;
    },
  };
  const log = createLog({ level: "error", clock, sink: { write: (line) => errors.push(line) } });
  const loss = {
    onLook(listener: () => void) {
      look = listener;
    },
  };
  const changes: string[] = [];
  watchOtherWriters({ database: { others }, loss, log }, () => changes.push("change"));
  const logged = (): number => {
    for (let count = 0; count < 3; count += 1) look();
    return errors.length;
  };
  expect(logged()).toBe(1);
  fault = new Error("database disk image is malformed");
  expect(logged()).toBe(2);
  fault = undefined;
  expect([logged(), changes]).toEqual([2, ["change"]]);
  fault = new Error("database disk image is malformed");
  expect(logged()).toBe(3);
});

test("expired entries go in parts, between which others write", async () => {
  await nextPurge();
  expect([keys(), clock.nextTimerMs]).toEqual([KEYS, HOUR_MS]);
  const seen: (readonly (number | undefined)[])[] = [];
  do {
    await nextPurge();
    seen.push([keys(), clock.nextTimerMs]);
    // The next part waits for its time, however often others write meanwhile.
    await written();
    expect([keys(), clock.nextTimerMs]).toEqual([...(seen.at(-1) ?? [])]);
  } while (keys() > 0);
  expect(seen).toEqual([
    [KEYS - PURGE_ROWS_MAX, 20],
    [KEYS - 2 * PURGE_ROWS_MAX, 20],
    [KEYS - 3 * PURGE_ROWS_MAX, 20],
    [0, HOUR_MS],
  ]);
  expect(errors).toEqual([]);
});

test("what the parts change is folded into the file on the way, and never much at once", async () => {
  database.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  const logBytes = () => statSync(join(folder, "fiscald.db-wal")).size;
  await nextPurge();
  await nextPurge();
  const ofOnePart = logBytes();
  expect(ofOnePart).toBePositive();
  while (keys() > 0) await nextPurge();
  // A log that was folded whole begins anew.
  expect(logBytes()).toBeLessThan(2 * ofOnePart);
});

test("a purge that failed is tried again an hour later", async () => {
  database.sqlite.exec(
    "CREATE TRIGGER full BEFORE DELETE ON idempotency_keys BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  await nextPurge();
  await nextPurge();
  expect([keys(), errors]).toEqual([KEYS, [expect.stringContaining("entries not removed")]]);
  database.sqlite.exec("DROP TRIGGER full");
  expect(clock.nextTimerMs).toBe(HOUR_MS);
  await nextPurge();
  expect(keys()).toBe(KEYS - PURGE_ROWS_MAX);
});

test("a purge that fails stops and undoes none of the others", async () => {
  database.sqlite.exec("DROP TABLE alert_history");
  await nextPurge();
  await nextPurge();
  expect(keys()).toBe(KEYS - PURGE_ROWS_MAX);
  expect(errors).toEqual([
    expect.stringContaining("alertHistory"),
    expect.stringContaining("alertHistory"),
  ]);
});

test("a gateway that stops sets no timer any more", async () => {
  clock.advance(clock.nextTimerMs ?? Number.NaN);
  stopping.abort();
  await written();
  expect(clock.pendingTimers).toBe(0);
});
