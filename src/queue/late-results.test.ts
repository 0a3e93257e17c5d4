import { beforeEach, describe, expect, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import { createQueueBench, DEVICE, DONE, ORG, type QueueBench } from "./testing/queue-bench.ts";

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
});

describe("a result that came too late", () => {
  const late = async (result: CommandResult): Promise<void> => {
    const id = await bench.submit();
    await bench.tick(180_000);
    await bench.finished("c1", id, result);
  };

  test("is known of the device when it was a printed receipt", async () => {
    expect(bench.queue.lateResult(DEVICE)).toBeNull();
    await late(DONE);
    expect(bench.queue.lateResult(DEVICE)?.at).toBe(bench.clock.now());
    expect(bench.queue.lateResult("dev_2")).toBeNull();
  });

  test("is no matter when nothing was printed", async () => {
    await late({ success: false, errorCode: "E306", data: { outcome: "not_printed" } });
    expect(bench.queue.lateResult(DEVICE)).toBeNull();
  });

  test("is still known after a restart, for a day", async () => {
    await late(DONE);
    const at = bench.clock.now();
    bench.clock.jumpTo(at + 86_399_999);
    await bench.restart();
    expect(bench.queue.lateResult(DEVICE)?.at).toBe(at);
    bench.clock.jumpTo(at + 86_400_000);
    await bench.restart();
    expect(bench.queue.lateResult(DEVICE)).toBeNull();
  });

  test("is kept of a receipt whose device was deleted while it was printed", async () => {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "committing", baseline: {} });
    await bench.queue.failUnfinished(DEVICE);
    expect(await bench.finished("c1", id, DONE)).toBe("FINAL");
    expect(bench.stores.audit.list(ORG, 10)).toMatchObject([{ action: "command.late_result" }]);
  });
});
