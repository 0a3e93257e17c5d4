/** Commands that wait, while the wall clock is set and over a start with a clock that is wrong. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { FakeClock } from "../../platform/clock.ts";
import { createApiBench } from "../testing/api-bench.ts";
import {
  COMMANDS,
  type CommandsBench,
  commandOf,
  createCommandsBench,
} from "./testing/commands-bench.ts";

const HOUR_MS = 3_600_000;
const OVERALL_MS = 180_000;

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

const statusOf = async (id: string, client: ApiClient = bench.till): Promise<string> =>
  commandOf(await client.get(`${COMMANDS}/${id}`)).status;

describe("a command that waits while the wall clock is set", () => {
  test.each([24 * HOUR_MS, -24 * HOUR_MS])("by %d ms has its time as before", async (step) => {
    const ahead = await bench.queued();
    const id = await bench.queued();
    await bench.clock.advanceAsync(100_000);
    bench.clock.jumpTo(bench.clock.now() + step);
    await bench.finish(ahead, { success: true, fiscalId: "1" });
    expect(await statusOf(id)).toBe("sent");
    const expiresAt = new Date(bench.clock.now() + 80_000).toISOString();
    expect(bench.levers.sent.at(-1)).toMatchObject({ expiresAt });
    await bench.clock.advanceAsync(80_000);
    await bench.atRest();
    expect(await statusOf(id)).toBe("timeout");
  });
});

/** Starts the appliance anew after some time, with a clock that may say anything. */
async function restart(now: number) {
  await bench.keepTime();
  const clock = new FakeClock(now);
  const api = createApiBench({ after: { database: bench.database, clock } });
  await api.queue.recover();
  const till = api.client.as(bench.tillKey);
  const pass = async (ms: number): Promise<void> => {
    await clock.advanceAsync(ms);
    for (let turn = 0; turn < 4; turn += 1) await api.writer.run(() => undefined);
  };
  return { ...api, till, pass };
}

describe("a command that waits over a start", () => {
  test("with a clock that is behind never has more than its time", async () => {
    bench.levers.connected = false;
    const id = await bench.queued();
    await bench.clock.advanceAsync(20_000);
    bench.queue.ready(bench.deviceId);
    const { till, clock, queue, pass, levers } = await restart(bench.clock.now() - 24 * HOUR_MS);
    levers.connected = false;
    queue.ready(bench.deviceId);
    await pass(30_000);
    // The time is put right.
    clock.jumpTo(clock.now() + 25 * HOUR_MS);
    queue.lookAtClock();
    await pass(OVERALL_MS - 20_000 - 30_000 - 1);
    expect(await statusOf(id, till)).toBe("pending");
    await pass(1);
    expect(await statusOf(id, till)).toBe("timeout");
  });

  test("and over the next one, which is right again, has no more either", async () => {
    bench.levers.connected = false;
    const id = await bench.queued();
    const wrong = await restart(bench.clock.now() - 24 * HOUR_MS);
    wrong.levers.connected = false;
    wrong.queue.ready(bench.deviceId);
    await wrong.pass(100_000);
    await wrong.keepTime();
    const clock = new FakeClock(wrong.clock.now() + 79_000);
    const right = createApiBench({ after: { database: bench.database, clock } });
    right.levers.connected = false;
    await right.queue.recover();
    right.queue.ready(bench.deviceId);
    const client = right.client.as(bench.tillKey);
    expect(await statusOf(id, client)).toBe("pending");
    await clock.advanceAsync(1_000);
    for (let turn = 0; turn < 4; turn += 1) await right.writer.run(() => undefined);
    expect(await statusOf(id, client)).toBe("timeout");
  });

  test("counts the time that the machine was off", async () => {
    bench.levers.connected = false;
    const id = await bench.queued();
    const { till, pass } = await restart(bench.clock.now() + OVERALL_MS);
    await pass(0);
    expect(await statusOf(id, till)).toBe("timeout");
  });
});
