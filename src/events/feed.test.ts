import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storedDevice } from "#core/device/testing/stored-device.ts";
import { deviceEvent } from "#core/events.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { until } from "../e2e/harness/until.ts";
import { FakeClock } from "../platform/clock.ts";
import { createRandom } from "../platform/random.ts";
import { nextWorkTurn } from "../platform/work-turns.ts";
import { createEventBus } from "./bus.ts";
import { createToEnvelope } from "./envelope.ts";
import { EventLog } from "./event-log.ts";
import { EventFeed, type FeedEnd } from "./feed.ts";

const LISTENERS = 200;

let folder: string;
let database: Database;
let feed: EventFeed;
let clock: FakeClock;
let emit: (...deviceIds: string[]) => Promise<void>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-feed-"));
  clock = new FakeClock();
  database = openDatabase(join(folder, "a.db"));
  migrate(database, clock.now());
  const stores = createStores(database);
  const bus = createEventBus((error) => {
    throw error;
  });
  const log = new EventLog({ stores, bus, clock, random: createRandom(clock) });
  const writer = new Writer(database, { events: log });
  emit = (...deviceIds) =>
    writer.run((tx) => {
      for (const deviceId of deviceIds) {
        tx.emit(deviceEvent("device.updated", storedDevice({ id: deviceId })));
      }
    });
  feed = new EventFeed({
    ...{ events: stores.events, subjects: stores, bus, clock },
    toEnvelope: createToEnvelope({
      ...{ command: (one) => one, receipt: (one) => one, report: (one) => one },
      ...{ device: (one) => one, alerts: (one) => ({ ...one }) },
    }),
  });
});
afterEach(() => {
  feed.stop();
  database.close();
  rmSync(folder, { recursive: true });
});

/** Somebody who writes down what it is told. */
function listen(waiting = () => 0, told: () => void = () => undefined, after?: number) {
  const heard: string[] = [];
  const ends: FeedEnd[] = [];
  const { orgId } = storedDevice({});
  const place = feed.listen(
    {
      orgId,
      covers: () => true,
      tell: (_, text) => {
        const { data }: { data: { device: { id: string } } } = JSON.parse(text);
        heard.push(data.device.id);
        told();
      },
      waiting,
      ended: (why) => ends.push(why),
    },
    after,
  );
  return { heard, ends, place };
}

test("many listeners are told a few a turn, each of everything and in order", async () => {
  const all = Array.from({ length: LISTENERS }, () => listen());
  await emit("one", "two");
  const first = all.filter(({ heard }) => heard.length > 0);
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThan(LISTENERS);
  await emit("three");
  const order = ["one", "two", "three"];
  await until("the last of them", () => all.every(({ heard }) => heard.length === order.length));
  for (const { heard } of all) expect(heard).toEqual(order);
});

test("who comes while others are being told hears what is new, and they miss nothing", async () => {
  const all = Array.from({ length: LISTENERS }, () => listen());
  await emit("one");
  const late = listen();
  for (const { heard } of all) expect(heard).toEqual(["one"]);
  await emit("two");
  await until("the late one", () => late.heard.length > 0);
  expect(late.heard).toEqual(["two"]);
});

test("of all who catch up one piece is read in a turn, whatever else waits for one", async () => {
  await emit(...Array.from({ length: 1_000 }, (_, index) => `device ${index}`));
  let told = 0;
  const all = Array.from({ length: 20 }, () => listen(undefined, () => (told += 1), 0));
  expect(told).toBe(0);
  let most = 0;
  let others = 0;
  while (all.some(({ heard }) => heard.length < 1_000)) {
    const before = told;
    // Of another kind of work, as a list or an export.
    await nextWorkTurn();
    others += 1;
    most = Math.max(most, told - before);
  }
  expect(most).toBeLessThanOrEqual(all.length * 50);
  expect(others).toBeGreaterThanOrEqual(20);
  expect(told).toBe(20_000);
});

test("who is behind when the events cannot be read is told so, and nobody else", async () => {
  await emit("one");
  const live = listen();
  const behind = listen(undefined, undefined, 0);
  database.close();
  await until("its end", () => behind.ends.length > 0);
  expect([behind.ends, behind.heard, live.ends]).toEqual([["failed"], [], []]);
});

test("who leaves or is too slow while others are being told is told no more", async () => {
  const all = Array.from({ length: LISTENERS }, () => listen());
  const slow = listen(() => 1_000_000);
  const last = listen();
  await emit("one", "two");
  last.place.leave();
  await until("the others", () => all.every(({ heard }) => heard.length === 2));
  expect([slow.heard, slow.ends, last.heard]).toEqual([[], [], []]);
  clock.advance(30_000);
  expect(slow.ends).toEqual(["slow"]);
});

test("who reads what was told hears all of it, however long each event is", async () => {
  let waiting = 0;
  const reader = listen(
    () => waiting,
    () => (waiting += 933_000),
  );
  for (const name of ["one", "two", "three", "four"]) await emit(name, `${name} again`);
  expect(reader.heard).toEqual(["one"]);
  const read = async () => {
    waiting = 0;
    reader.place.drained();
    await nextWorkTurn();
  };
  for (let reads = 0; reads < 7; reads += 1) await read();
  const all = ["one", "two", "three", "four"].flatMap((name) => [name, `${name} again`]);
  expect([reader.heard, reader.ends]).toEqual([all, []]);
  await read();
  await emit("five");
  clock.advance(30_000);
  expect([reader.heard.at(-1), reader.heard.length, reader.ends]).toEqual(["five", 9, []]);
});

test("no more events wait to be told than are bounded", async () => {
  const all = Array.from({ length: LISTENERS }, () => listen());
  const names = Array.from({ length: 1_100 }, (_, index) => `device ${index}`);
  await emit(...names);
  // The first thousand were told at once when the next one came.
  expect(all.at(-1)?.heard.length).toBeGreaterThan(1_000);
  await until("the rest", () => all.every(({ heard }) => heard.length === names.length));
  expect(all.at(-1)?.heard).toEqual(names);
});
