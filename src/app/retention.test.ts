/** What is removed in the course of time, and what never is. */

import { afterEach, beforeEach, expect, test } from "bun:test";
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

/** One purge, as a gateway does it that has just been started. */
async function purge(): Promise<void> {
  const { stores, writer, clock } = bench;
  const timers = new TimerQueue(clock);
  const stopping = new AbortController();
  purgeRegularly({
    ...{ stores, writer, clock, timers, time: new CountedTime(clock) },
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
