import { beforeEach, describe, expect, test } from "bun:test";
import { createQueueBench, DEVICE, DONE, ORG, type QueueBench } from "./testing/queue-bench.ts";

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
});

describe("the time rules", () => {
  test("time out after 60 s while no controller connects", async () => {
    bench.controller.connected = false;
    const id = await bench.submit();
    await bench.tick(59_999);
    expect(bench.status(id)).toBe("pending");
    await bench.tick(1);
    expect(bench.status(id)).toBe("timeout");
    expect(bench.result(id)).toMatchObject({ errorCode: "E500", data: { outcome: "not_printed" } });
  });

  test("count for each command from its own acceptance", async () => {
    bench.controller.connected = false;
    const ids: string[] = [];
    const timers: number[] = [];
    for (let count = 0; count < 3; count++) {
      ids.push(await bench.submit());
      timers.push(bench.clock.pendingTimers);
      await bench.tick(10_000);
    }
    // One timer serves all of them.
    expect(new Set(timers).size).toBe(1);
    await bench.tick(29_999);
    expect(ids.map(bench.status)).toEqual(["pending", "pending", "pending"]);
    await bench.tick(1);
    expect(ids.map(bench.status)).toEqual(["timeout", "pending", "pending"]);
    await bench.tick(10_000);
    expect(ids.map(bench.status)).toEqual(["timeout", "timeout", "pending"]);
    await bench.tick(10_000);
    expect(ids.map(bench.status)).toEqual(["timeout", "timeout", "timeout"]);
  });

  test("stop the 60 s for good when a controller connects", async () => {
    bench.controller.connected = false;
    const id = await bench.submit();
    await bench.tick(30_000);
    bench.queue.ready(DEVICE);
    await bench.tick(149_999);
    expect(bench.status(id)).toBe("pending");
    await bench.tick(1);
    expect(bench.status(id)).toBe("timeout");
  });

  test("time out after 180 s when a printer stays off behind its controller", async () => {
    const first = await bench.submit();
    const second = await bench.submit();
    await bench.tick(180_000);
    expect([first, second].map(bench.status)).toEqual(["timeout", "timeout"]);
  });

  test("end a command that begins too late, and go on with the next one", async () => {
    const late = await bench.submit();
    bench.clock.stall(100_000);
    const next = await bench.submit();
    // Its own time is over, and the timer has not fired yet.
    bench.clock.stall(80_000);
    expect(await bench.marked("c1", late, { mark: "baseline", baseline: {} })).toBe("FINAL");
    await bench.atRest();
    expect([late, next].map(bench.status)).toEqual(["timeout", "sent"]);
    expect(bench.out().at(-1)).toBe(`dispatch ${next}`);
  });

  test("end a late command where it would be claimed, should its timer not have fired yet", async () => {
    const [first, late] = [await bench.submit(), await bench.submit()];
    await bench.marked("c1", first, { mark: "committing", baseline: {} });
    bench.clock.stall(180_000);
    await bench.told("c1", first, DONE);
    expect([first, late].map(bench.status)).toEqual(["completed", "timeout"]);
    expect(bench.out()).toEqual([`dispatch ${first}`]);
  });

  test("leave a command alone that its device has begun", async () => {
    const id = await bench.submit();
    await bench.acknowledged("c1", id);
    await bench.tick(600_000);
    expect(bench.status(id)).toBe("processing");
  });

  test("refuse the baseline of a command that timed out, so that it never prints", async () => {
    const id = await bench.submit();
    await bench.tick(180_000);
    expect(await bench.marked("c1", id, { mark: "baseline", baseline: {} })).toBe("FINAL");
  });

  test("keep a result that comes after the time-out out of the command, and ask a person", async () => {
    const id = await bench.submit();
    await bench.tick(180_000);
    expect(await bench.finished("c1", id, DONE)).toBe("FINAL");
    expect(bench.status(id)).toBe("timeout");
    const actions = bench.stores.audit.list(ORG, 10).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(["command.asked_again", "command.late_result"]);
    expect(bench.queue.isHeld(DEVICE)).toBe(true);
  });
});
