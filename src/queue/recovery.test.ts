import { beforeEach, describe, expect, test } from "bun:test";
import { createQueueBench, ORG, type QueueBench } from "./testing/queue-bench.ts";

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
});

describe("after a restart", () => {
  test("a command that was only sent goes out again, the next one waits", async () => {
    await bench.submit();
    const second = await bench.submit();
    await bench.restart();
    await bench.atRest();
    expect(bench.out()).toEqual(["dispatch cmd_1"]);
    expect(bench.status(second)).toBe("pending");
  });

  test("a receipt that had begun without a mark is reported as not printed", async () => {
    const id = await bench.submit();
    await bench.acknowledged("c1", id);
    await bench.atRest();
    await bench.restart();
    expect(bench.result(id)).toMatchObject({ errorCode: "E102", data: { outcome: "not_printed" } });
  });

  test("a receipt with a baseline is resolved, never dispatched again", async () => {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "baseline", baseline: { ownNumber: 26 } });
    await bench.restart();
    await bench.atRest();
    expect(bench.out()).toEqual([`resolve ${id}`]);
    expect(bench.sent[0]).toMatchObject({ mark: "baseline", baseline: { ownNumber: 26 } });
  });

  test("a later mark keeps what the baseline read", async () => {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "baseline", baseline: { ownNumber: 26 } });
    await bench.marked("c1", id, { mark: "committing" });
    await bench.marked("c1", id, { mark: "opened" });
    expect(bench.stores.commands.get(ORG, id)).toMatchObject({
      mark: "committing",
      baseline: { ownNumber: 26 },
      status: "processing",
    });
  });

  test("what waited too long meanwhile times out at once", async () => {
    bench.controller.connected = false;
    const id = await bench.submit();
    bench.clock.jumpTo(bench.clock.now() + 200_000);
    await bench.restart();
    await bench.tick(0);
    expect(bench.status(id)).toBe("timeout");
  });

  test("a non-fiscal slip that had begun printing is not printed again", async () => {
    const id = await bench.submit("non_fiscal_receipt");
    await bench.marked("c1", id, { mark: "committing" });
    await bench.restart();
    await bench.atRest();
    expect(bench.out()).toEqual([]);
    expect(bench.result(id)).toMatchObject({ errorCode: "E102" });
  });
});
