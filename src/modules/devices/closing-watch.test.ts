/** The shop's closing time, on a device with receipts, through the API. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { DeviceStatus } from "#core/device/device.ts";
import { readAt } from "#core/device/testing/status-reading.ts";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { createRandom } from "../../platform/random.ts";
import { TimerQueue } from "../../queue/timer-queue.ts";
import { ONLINE } from "../live/testing/live-bench.ts";
import {
  createReportsBench,
  FIGURES,
  type ReportsBench,
} from "../reports/testing/reports-bench.ts";
import { TodayAnswer } from "../today/schema.ts";
import { CLOCK_STEADY_MS, CLOSING_LOOK_MS, ClosingWatch } from "./closing-watch.ts";

let bench: ReportsBench;
let caller: ApiClient;
let watch: ClosingWatch;
let changed: string[];

beforeEach(async () => {
  bench = await createReportsBench();
  caller = bench.owner.as(await bench.makeKey(["all"]));
  bench.setTimezone("Europe/Sofia");
  changed = [];
  // The first look knows of no look before.
  watch = await started();
  reads({});
  // Noon in Sofia.
  await bench.sell();
});
afterEach(() => bench.close());

async function started(): Promise<ClosingWatch> {
  const { stores, writer, clock, log, queue, liveFacts } = bench;
  const made = new ClosingWatch({
    ...{ stores, writer, clock, log, queue, random: createRandom(clock) },
    ...{ timers: new TimerQueue(clock), closed: () => undefined },
    onChange: (deviceId) => changed.push(deviceId),
    live: {
      isHere: true,
      connectivity: (id) => liveFacts.get(id)?.connectivity ?? ONLINE,
      controller: () => undefined,
      reading: (id) => liveFacts.get(id)?.reading,
      diskFullSince: () => null,
      lateResults: () => [],
    },
  });
  await made.start();
  return made;
}

/** The device says how it is now, and since when its day is open where it knows. */
function reads(status: Partial<DeviceStatus>, fiscalDayOpenSince: number | null = null): void {
  const reading = readAt(bench.clock.now(), status, { fiscalDayOpenSince });
  bench.liveFacts.set(bench.deviceId, { connectivity: ONLINE, reading });
}

const closeAt = (closingTime: string, closingAutomatic = true) =>
  bench.owner.patch("/api/v1/org", { closingTime, closingAutomatic });
const zReports = () => {
  const page = { limit: 10, order: "desc", sortBy: "createdAt" } as const;
  return [...bench.stores.commands.list(bench.orgId, { type: "z_report" }, page)].flat();
};
/** Time passes, and what a look has begun comes to its end. */
async function passes(ms: number): Promise<void> {
  await bench.clock.advanceAsync(ms);
  await bench.atRest();
}
async function alerts(): Promise<readonly string[]> {
  const { devices } = (await caller.get("/api/v1/today")).as(TodayAnswer);
  return devices.flatMap((one) =>
    one.alerts.flatMap(({ type }) => (type === "device_unassigned" ? [] : type)),
  );
}
function closings() {
  return zReports().map(({ status, source }) => ({ status, source }));
}

test("a reminder stands from the closing time on, and goes with the Z report", async () => {
  await closeAt("12:10", false);
  await passes(9 * 60_000);
  expect([await alerts(), changed]).toEqual([[], []]);
  await passes(60_000 + CLOSING_LOOK_MS);
  expect([await alerts(), changed]).toEqual([["z_report_due"], [bench.deviceId]]);
  await bench.report("z_report");
  await passes(CLOSING_LOOK_MS);
  expect([await alerts(), changed.length, closings()]).toEqual([
    ...[[], 2],
    [{ status: "completed", source: "api" }],
  ]);
});

test("a day that was closed at the printer itself is remembered as closed", async () => {
  await closeAt("12:10", false);
  await passes(5 * 60_000);
  reads({ fiscalDayOpen: false });
  await passes(CLOSING_LOOK_MS);
  // The first receipt of the next day, read or not.
  await bench.sell();
  reads({});
  await passes(10 * 60_000);
  expect(await alerts()).toEqual(["z_report_due"]);
  watch.stop();
  reads({ fiscalDayOpen: false });
  watch = await started();
  await passes(CLOSING_LOOK_MS);
  reads({});
  expect(await alerts()).toEqual([]);
});

test("a Z report is made at that time, once, whatever becomes of it, and audited", async () => {
  await closeAt("12:10");
  await passes(10 * 60_000 + CLOSING_LOOK_MS);
  expect(closings()).toEqual([{ status: "sent", source: "gateway" }]);
  const audit = await bench.owner.get("/api/v1/audit?limit=1&sortOrder=desc");
  expect(audit.body).toMatchObject({
    entries: [{ action: "closing.made", actor: "gateway", details: { date: "2026-01-15" } }],
  });
  await bench.finish(zReports()[0]?.id ?? "", { success: false, errorCode: "E306" });
  // Another start, and a clock that is set back and forth, change nothing of that.
  watch.stop();
  watch = await started();
  for (const time of ["2026-01-15T09:00:00Z", "2026-01-15T10:20:00Z"]) {
    bench.setClock(time);
    reads({});
    await passes(3 * CLOSING_LOOK_MS);
  }
  expect(closings()).toEqual([{ status: "failed", source: "gateway" }]);
  expect(await alerts()).toEqual(["z_report_due"]);
});

test("nothing is made while something waits, nor behind the back of a person", async () => {
  await closeAt("12:10");
  await passes(9 * 60_000);
  const waiting = await bench.queued();
  await bench.marked(waiting, "committing");
  await passes(2 * 60_000);
  expect(closings()).toEqual([]);
  await bench.finish(waiting, { success: false, errorCode: "E301", data: { outcome: "unknown" } });
  await passes(2 * CLOSING_LOOK_MS);
  expect(closings()).toEqual([]);
  await bench.till.post(`/api/v1/commands/${waiting}/resolve`, { outcome: "not_printed" });
  await passes(2 * CLOSING_LOOK_MS);
  expect(closings()).toHaveLength(1);
});

test("a time that has passed when it is set, and a clock that is set over it, make nothing", async () => {
  await passes(60_000);
  await closeAt("12:00");
  await passes(5 * CLOSING_LOOK_MS);
  expect([closings(), await alerts()]).toEqual([[], []]);
  await closeAt("13:00");
  bench.setClock("2026-01-15T11:00:01Z");
  await passes(CLOSING_LOOK_MS);
  expect(closings()).toEqual([]);
  await passes(CLOCK_STEADY_MS - CLOSING_LOOK_MS);
  expect(closings()).toEqual([]);
  // It runs evenly since, so it is right.
  await passes(CLOSING_LOOK_MS);
  expect(closings()).toHaveLength(1);
});

test.each([
  ["to 1970", Date.parse("1970-01-01T00:01:00Z"), []],
  ["a year back", Date.parse("2025-01-15T11:30:00Z"), []],
  ["an hour forward", Date.parse("2026-01-15T11:03:00Z"), ["z_report_due"]],
  ["two days forward", Date.parse("2026-01-17T11:03:00Z"), ["z_report_overdue"]],
])("a clock that is set %s for a minute closes no day, and is right afterwards", async (...row) => {
  const [, wrong, meanwhile] = row;
  await closeAt("13:00");
  await passes(CLOCK_STEADY_MS + CLOSING_LOOK_MS);
  const right = bench.clock.now();
  reads({}, right);
  bench.clock.jumpTo(wrong);
  await passes(4 * CLOSING_LOOK_MS);
  expect([closings(), await alerts()]).toEqual([[], meanwhile]);
  bench.clock.jumpTo(right + 4 * CLOSING_LOOK_MS);
  await passes(CLOSING_LOOK_MS);
  expect([closings(), await alerts()]).toEqual([[], []]);
  // The closing that was to come still comes, once.
  await passes(60 * 60_000);
  expect([closings().length, await alerts()]).toEqual([1, ["z_report_due"]]);
});

test("where the device closes its day with the report, the next closing is the next day's", async () => {
  await closeAt("12:10");
  await passes(10 * 60_000 + CLOSING_LOOK_MS);
  await bench.finish(zReports()[0]?.id ?? "", { success: true, data: FIGURES });
  await bench.sell();
  await passes(10 * CLOSING_LOOK_MS);
  expect(closings()).toHaveLength(1);
  bench.setClock("2026-01-16T10:10:00Z");
  await passes(CLOSING_LOOK_MS + CLOCK_STEADY_MS);
  expect(closings()).toHaveLength(2);
});

describe("what was noted while the clock was a year ahead", () => {
  const YEAR_MS = 365 * 86_400_000;

  test("of a day that was closed at the printer silences no later closing", async () => {
    await closeAt("20:00");
    const right = bench.clock.now();
    bench.clock.jumpTo(right + YEAR_MS);
    await bench.sell();
    await passes(60_000);
    reads({ fiscalDayOpen: false });
    await passes(CLOSING_LOOK_MS);
    // Right again, and the next day is sold on.
    bench.clock.jumpTo(right + 86_400_000);
    reads({});
    await bench.sell();
    bench.setClock("2026-01-16T18:00:00Z");
    reads({});
    await passes(CLOSING_LOOK_MS);
    expect(await alerts()).toEqual(["z_report_due"]);
    await passes(CLOCK_STEADY_MS);
    expect(closings()).toEqual([{ status: "sent", source: "gateway" }]);
  });

  test.each([
    ["that had passed when the clock was right makes none", "12:10", []],
    ["that came behind that makes one", "12:40", ["gateway"]],
  ])("of when the time was set: a closing %s", async (_what, closingTime, made) => {
    const right = bench.clock.now();
    bench.clock.jumpTo(right + YEAR_MS);
    // The login of before has run out by then.
    const login = { email: "owner@example.com", password: "correct horse battery" };
    const token = (await bench.client.post("/api/v1/auth/login", login)).field("accessToken");
    const time = { closingTime, closingAutomatic: true };
    expect((await bench.owner.as(token).patch("/api/v1/org", time)).status).toBe(200);
    bench.clock.jumpTo(right + 15 * 60_000);
    reads({});
    await passes(26 * 60_000);
    expect(await alerts()).toEqual(["z_report_due"]);
    expect(closings().map(({ source }) => String(source))).toEqual(made);
  });
});
