/** What is removed in the course of time, and what never is. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  type CommandsBench,
  createCommandsBench,
  UNKNOWN,
} from "../modules/commands/testing/commands-bench.ts";
import { CountedTime } from "../platform/counted-time.ts";
import { silentLog } from "../platform/log.ts";
import { TimerQueue } from "../queue/timer-queue.ts";
import { purgeRegularly } from "./upkeep.ts";

const DAY_MS = 86_400_000;

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

const count = (table: string) =>
  Number(bench.database.sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
const has = (id: string) => bench.stores.commands.get(bench.orgId, id) !== undefined;

/** One purge, as a gateway does it that has just been started, with the time of before or anew. */
async function purge(time = new CountedTime(bench.clock)): Promise<void> {
  const { stores, writer, clock } = bench;
  const timers = new TimerQueue(clock);
  const stopping = new AbortController();
  purgeRegularly({
    ...{ stores, writer, clock, timers, time },
    ...{ log: silentLog, stopping: stopping.signal },
  });
  clock.advance(clock.nextTimerMs ?? Number.NaN);
  stopping.abort();
  await bench.atRest();
}

test("commands go after two years unless one is in doubt; receipts, reports and audit stay", async () => {
  const sale = await bench.queued();
  await bench.finish(sale, { success: true, data: {}, fiscalId: "27" });
  const report = await bench.queued("x_report", {});
  await bench.finish(report, { success: true, data: {} });
  const open = await bench.queued();
  await bench.finish(open, UNKNOWN);
  const kept = () => [count("receipts"), count("reports"), count("audit_entries")];
  const before = kept();
  expect(before.every((rows) => rows > 0)).toBe(true);

  bench.clock.advance(2 * 365 * DAY_MS - DAY_MS);
  await purge();
  expect([has(sale), has(report), has(open)]).toEqual([true, true, true]);
  bench.clock.advance(2 * DAY_MS);
  await purge();
  expect([has(sale), has(report), has(open)]).toEqual([false, false, true]);
  expect(kept()).toEqual(before);
});

test("what became of deliveries is kept for 30 days; one that still has an attempt before it stays", async () => {
  const { stores, clock, orgId } = bench;
  const payload = { id: "evt_1", type: "webhook.test", timestamp: "", data: {} } as never;
  const made = (id: string, dueAt: number | null) =>
    stores.webhookDeliveries.insert({
      ...{ id, orgId, webhookId: "wh_1", eventType: "webhook.test", payload, attempt: 1, dueAt },
      ...{ status: dueAt === null ? "success" : "pending", createdAt: clock.now() },
      ...{ httpStatus: null, responseBody: null, error: null, attemptedAt: null },
      failedAttempts: null,
    });
  made("ended", null);
  made("waiting", clock.now() + 365 * DAY_MS);
  const left = () => stores.webhookDeliveries.list("wh_1", { limit: 9 }).map(({ id }) => id);

  clock.advance(29 * DAY_MS);
  await purge();
  expect(left()).toEqual(["waiting", "ended"]);
  clock.advance(2 * DAY_MS);
  await purge();
  expect(left()).toEqual(["waiting"]);
});

test("the connection history of a device goes back for seven days", async () => {
  const { stores, clock } = bench;
  const about = { deviceModel: "", appVersion: "", osVersion: "", code: null, reason: null };
  const came = () =>
    stores.connectionEvents.append({
      ...{ ...about, deviceId: "dev_far", type: "connected", at: clock.now() },
    });
  const left = () => stores.connectionEvents.latest("dev_far", 9).length;
  came();
  clock.advance(6 * DAY_MS);
  came();
  await purge();
  expect(left()).toBe(2);
  clock.advance(2 * DAY_MS);
  await purge();
  expect(left()).toBe(1);
});

test("an alert is listed for 90 days after its end, and for as long as it stands", async () => {
  const { stores, clock, orgId } = bench;
  const rises = (type: string) =>
    stores.alertHistory.append({
      ...{ orgId, deviceId: "dev_far", deviceName: "", type, severity: "error", message: "" },
      ...{ commandId: null, fiscalId: null, standsOpen: null, detectedAt: clock.now() },
      ...{ endedAt: null, end: null, endedBy: null },
    });
  const left = () => stores.alertHistory.page(orgId, { limit: 9, order: "asc" });
  rises("cover_open");
  rises("paper_out");
  clock.advance(200 * DAY_MS);
  const ended = { end: "cured", endedBy: null, endedAt: clock.now() } as const;
  stores.alertHistory.end("dev_far", { type: "paper_out" }, ended);
  clock.advance(89 * DAY_MS);
  await purge();
  expect(left().map(({ type }) => type)).toEqual(["cover_open", "paper_out"]);
  clock.advance(2 * DAY_MS);
  await purge();
  expect(left().map(({ type }) => type)).toEqual(["cover_open"]);
});

test("of the alerts of a device the latest thousand are kept, and those that stand", () => {
  const { stores, orgId } = bench;
  const ended = { end: "cured", endedBy: null, endedAt: 2 } as const;
  const standing = { endedAt: null, end: null, endedBy: null };
  const rises = (deviceId: string, message: string, ending: object) =>
    stores.alertHistory.append({
      ...{ orgId, deviceId, deviceName: "", type: "paper_out", severity: "error", message },
      ...{ commandId: null, fiscalId: null, standsOpen: null, detectedAt: 1, ...standing },
      ...ending,
    });
  rises("dev_other", "of another", ended);
  rises("dev_far", "stands", standing);
  for (let time = 0; time <= 1_000; time += 1) rises("dev_far", String(time), ended);
  const oldest = stores.alertHistory.page(orgId, { limit: 3, order: "asc" });
  expect(oldest.map(({ message }) => message)).toEqual(["of another", "stands", "1"]);
});

const finished = async (): Promise<string> => {
  const id = await bench.queued();
  await bench.finish(id, { success: true, data: {}, fiscalId: "27" });
  return id;
};

test("a command of a clock that showed 1970 stays for two years as well, the shop's first one too", async () => {
  const { clock } = bench;
  const time = new CountedTime(clock);
  const now = clock.now();
  clock.jumpTo(60_000);
  const first = await finished();
  await purge(time);
  clock.jumpTo(now + DAY_MS);
  await purge(time);
  expect(has(first)).toBe(true);
  clock.advance(2 * 365 * DAY_MS);
  await purge();
  expect(has(first)).toBe(false);
});

test("a clock that shows a later year for an hour costs no command and no event", async () => {
  const { clock } = bench;
  const time = new CountedTime(clock);
  const sale = await finished();
  const before = [count("events"), count("connection_events")];
  await purge(time);
  const now = clock.now();
  clock.jumpTo(now + 5 * 365 * DAY_MS);
  await purge(time);
  await purge(time);
  clock.jumpTo(now + 3_600_000);
  await purge(time);
  expect(has(sale)).toBe(true);
  expect([count("events"), count("connection_events")]).toEqual(before);
  expect(before[0]).toBePositive();
});

describe("what was stored while the clock was a year ahead", () => {
  const YEAR_MS = 365 * DAY_MS;
  /** More than a purge removes at once. */
  const MANY = 60;

  /** Stores one while the clock is ahead, the others when it is right again. */
  async function storeWithOneAhead(store: (index: number) => void): Promise<void> {
    const { clock } = bench;
    const now = clock.now();
    clock.jumpTo(now + YEAR_MS);
    store(0);
    clock.jumpTo(now);
    for (let index = 1; index <= MANY; index += 1) store(index);
    await bench.atRest();
  }
  /** All parts of a purge. */
  async function purgeAll(): Promise<void> {
    for (let part = 0; part <= MANY; part += 20) await purge();
  }

  const about = { deviceModel: "", appVersion: "", osVersion: "", code: null, reason: null };
  const stores: readonly [string, (index: number) => void, keptDays: number, left: number][] = [
    [
      "connection_events",
      () =>
        bench.stores.connectionEvents.append({
          ...{ ...about, deviceId: "dev_far", type: "connected", at: bench.clock.now() },
        }),
      ...([7, 0] as const),
    ],
    [
      "events",
      (index) =>
        bench.stores.events.insert({
          ...{ id: `evt_${index}`, orgId: bench.orgId, type: "device.updated", data: {} },
          ...{ subjectId: "dev_far", createdAt: bench.clock.now() },
        }),
      // The newest stays.
      ...([7, 1] as const),
    ],
    [
      "webhook_deliveries",
      (index) =>
        bench.stores.webhookDeliveries.insert({
          ...{ id: `dlv_${index}`, orgId: bench.orgId, webhookId: "wh_1", attempt: 1, dueAt: null },
          ...{ payload: {} as never, eventType: "webhook.test", status: "success" },
          ...{ createdAt: bench.clock.now(), httpStatus: null, responseBody: null, error: null },
          ...{ attemptedAt: null, failedAttempts: null },
        }),
      ...([30, 0] as const),
    ],
  ];
  test.each(stores)("of %s holds up nothing, and goes with what is beside it", async (...of) => {
    const [table, store, keptDays, left] = of;
    await purgeAll();
    const before = count(table);
    await storeWithOneAhead(store);
    bench.clock.advance((keptDays - 1) * DAY_MS);
    await purgeAll();
    expect(count(table)).toBe(before + MANY + 1);
    bench.clock.advance(2 * DAY_MS);
    await purgeAll();
    expect(count(table)).toBe(left);
  });

  test("of commands holds up nothing, and goes with what is beside it", async () => {
    const { clock } = bench;
    const now = clock.now();
    clock.jumpTo(now + 10 * YEAR_MS);
    const ahead = await finished();
    clock.jumpTo(now);
    const behind = await finished();
    clock.advance(2 * YEAR_MS - DAY_MS);
    const later = await finished();
    await purgeAll();
    expect([ahead, behind, later].map(has)).toEqual([true, true, true]);
    clock.advance(2 * DAY_MS);
    await purgeAll();
    expect([ahead, behind, later].map(has)).toEqual([false, false, true]);
  });

  test("stays as long as everything while nothing else was stored since", async () => {
    const { clock } = bench;
    const old = await finished();
    clock.advance(2 * YEAR_MS + DAY_MS);
    const now = clock.now();
    clock.jumpTo(now + YEAR_MS);
    const ahead = await finished();
    clock.jumpTo(now);
    await purgeAll();
    expect([old, ahead].map(has)).toEqual([false, true]);
  });

  test("is a shop: its commands go as any other's", async () => {
    const { clock, database } = bench;
    const setUpAt = clock.now() + 10 * YEAR_MS;
    database.sqlite.prepare("UPDATE organizations SET created_at = ?").run(setUpAt);
    const id = await finished();
    clock.advance(2 * YEAR_MS - DAY_MS);
    await purgeAll();
    expect(has(id)).toBe(true);
    clock.advance(2 * DAY_MS);
    await purgeAll();
    expect(has(id)).toBe(false);
  });
});

test("an hour with a clock that is years ahead ends no login", async () => {
  const time = new CountedTime(bench.clock);
  const now = bench.clock.now();
  const before = count("user_sessions");
  bench.clock.jumpTo(now + 20 * 365 * DAY_MS);
  await purge(time);
  expect([before > 0, count("user_sessions")]).toEqual([true, before]);
  bench.clock.jumpTo(now);
  bench.clock.advance(40 * DAY_MS);
  await purge();
  expect(count("user_sessions")).toBe(0);
});
