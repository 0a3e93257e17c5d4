import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoredDevice } from "#core/device/device.ts";
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
import { createEventBus, type EventBus } from "./bus.ts";
import { createToEnvelope } from "./envelope.ts";
import { EventLog } from "./event-log.ts";
import { EventFeed, type FeedEnd } from "./feed.ts";

const LISTENERS = 200;

let folder: string;
let database: Database;
let feed: EventFeed;
let clock: FakeClock;
let emit: (...deviceIds: string[]) => Promise<void>;
/** Stores what another process does: nobody publishes it here. */
let emitElsewhere: typeof emit;
let lastSeq: () => number;
/** Asked before something of a device, or what is stored, is read; what it throws is thrown there. */
let reading: (what: string) => void;

beforeEach(() => {
  reading = () => undefined;
  folder = mkdtempSync(join(tmpdir(), "fiscald-feed-"));
  clock = new FakeClock();
  database = openDatabase(join(folder, "a.db"));
  migrate(database, clock.now());
  const stores = createStores(database);
  const bus = createEventBus((error) => {
    throw error;
  });
  const emitting = (to: EventBus): typeof emit => {
    const log = new EventLog({ stores, bus: to, clock, random: createRandom(clock) });
    const writer = new Writer(database, { events: log });
    return (...deviceIds) =>
      writer.run((tx) => {
        for (const deviceId of deviceIds) {
          tx.emit(deviceEvent("device.updated", storedDevice({ id: deviceId })));
        }
      });
  };
  emit = emitting(bus);
  emitElsewhere = emitting(createEventBus(() => undefined));
  lastSeq = () => stores.events.lastSeq();
  const listAfter = (...asked: Parameters<typeof stores.events.listAfter>) => {
    reading("events");
    return stores.events.listAfter(...asked);
  };
  const device = (one: StoredDevice) => {
    reading(one.id);
    return one;
  };
  feed = new EventFeed({
    ...{ events: { listAfter, lastSeq }, subjects: stores, bus, clock },
    toEnvelope: createToEnvelope({
      ...{ command: (one) => one, receipt: (one) => one, report: (one) => one },
      ...{ device, alerts: (one) => ({ ...one }) },
    }),
  });
});
afterEach(() => {
  feed.stop();
  database.close();
  rmSync(folder, { recursive: true });
});

interface Listens {
  readonly waiting?: () => number;
  readonly told?: () => void;
  /** Deaf to what happens to this device. */
  readonly deafTo?: string;
  readonly after?: number;
}

/** Somebody who writes down what it is told. */
function listen({ waiting = () => 0, told = () => undefined, deafTo, after }: Listens = {}) {
  const heard: string[] = [];
  const ends: FeedEnd[] = [];
  const { orgId } = storedDevice({});
  const place = feed.listen(
    {
      orgId,
      covers: ({ event }) => !("device" in event && event.device.id === deafTo),
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
  const all = Array.from({ length: 20 }, () => listen({ told: () => (told += 1), after: 0 }));
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
  const behind = listen({ after: 0 });
  database.close();
  await until("its end", () => behind.ends.length > 0);
  expect([behind.ends, behind.heard, live.ends]).toEqual([["failed"], [], []]);
});

test("who cannot be told of an event is ended, comes again from there, and others go on", async () => {
  const all = Array.from({ length: 20 }, () => listen());
  const deaf = listen({ deafTo: "bad" });
  await emit("one");
  await until("all of them", () => all.every(({ heard }) => heard.length === 1));
  const after = lastSeq();
  reading = (what) => {
    if (what === "bad") throw new Error("the disk");
  };
  await emit("bad");
  await emit("two");
  await until("what comes behind it", () => deaf.heard.length === 2);
  await until("the end of the others", () => all.every(({ ends }) => ends.length > 0));
  for (const { heard, ends } of all) expect([heard, ends]).toEqual([["one"], ["failed"]]);
  expect([deaf.heard, deaf.ends]).toEqual([["one", "two"], []]);
  reading = () => undefined;
  const again = listen({ after });
  await until("what was not told", () => again.heard.length === 2);
  await emit("three");
  expect([again.heard, again.ends]).toEqual([["bad", "two", "three"], []]);
});

test("who was told before a fault, and who is told behind it, hears each event once", async () => {
  const all = Array.from({ length: 20 }, () => listen());
  let reads = 0;
  reading = (what) => {
    if (what === "bad" && ++reads === 1) throw new Error("the disk, once");
  };
  await emit("one", "bad");
  await emit("two");
  const ended = () => all.filter(({ ends }) => ends.length > 0);
  const others = () => all.filter(({ ends }) => ends.length === 0);
  await until("the others", () => others().every(({ heard }) => heard.length === 3));
  expect(ended().map(({ heard, ends }) => [heard, ends])).toEqual([[["one"], ["failed"]]]);
  for (const { heard } of others()) expect(heard).toEqual(["one", "bad", "two"]);
});

test("who is up to date is ended when what another process stored cannot be read", async () => {
  const before = listen();
  await emitElsewhere("one");
  reading = () => {
    throw new Error("the disk");
  };
  await emit("two");
  reading = () => undefined;
  const behind = listen({ after: 0 });
  const live = listen();
  await emit("three");
  await until("all of it", () => behind.heard.length === 3);
  expect([before.heard, before.ends]).toEqual([[], ["failed"]]);
  expect([behind.heard, live.heard]).toEqual([["one", "two", "three"], ["three"]]);
});

test("who leaves or is too slow while others are being told is told no more", async () => {
  const all = Array.from({ length: LISTENERS }, () => listen());
  const slow = listen({ waiting: () => 1_000_000 });
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
  const reader = listen({
    waiting: () => waiting,
    told: () => (waiting += 933_000),
  });
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
