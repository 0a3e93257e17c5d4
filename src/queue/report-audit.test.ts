import { beforeEach, describe, expect, test } from "bun:test";
import { createQueueBench, DONE, ORG, type QueueBench } from "./testing/queue-bench.ts";

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
});

describe("a controller that says what is not so", () => {
  test("is not believed: a receipt without marks is nobody's to know", async () => {
    const id = await bench.submit();
    expect(await bench.told("c1", id, DONE)).toBe("STORED");
    expect(bench.result(id)).toMatchObject({ success: false, data: { outcome: "unknown" } });
    expect(bench.stores.outcomeHolds.listOpen()).toMatchObject([{ commandId: id }]);
    expect(bench.stores.audit.list(ORG, 10)).toMatchObject([{ action: "command.report_doubted" }]);
  });

  test("does not fill the audit log", async () => {
    const id = await bench.submit();
    for (let times = 0; times < 150; times += 1) await bench.told("c2", id, DONE);
    expect(bench.stores.audit.list(ORG, 1_000)).toHaveLength(100);
    bench.clock.jumpTo(bench.clock.now() + 3_600_000);
    await bench.told("c2", id, DONE);
    expect(bench.stores.audit.list(ORG, 1_000)).toHaveLength(101);
  });
});
