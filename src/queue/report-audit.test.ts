import { beforeEach, describe, expect, test } from "bun:test";
import { createQueueBench, DEVICE, DONE, ORG, type QueueBench } from "./testing/queue-bench.ts";

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

  const lied = (id: string, fiscalId: string) =>
    bench.told("c2", id, { success: true, data: {}, fiscalId });
  const noted = (controllerId: string, action: string): Promise<boolean> =>
    bench.writer.run((tx) =>
      bench.stores.audit.appendNote(tx, {
        ...{ orgId: ORG, at: bench.clock.now(), resource: DEVICE, controllerId, action },
        ...{ details: {}, noteId: undefined },
      }),
    );

  test("does not fill the audit log", async () => {
    const id = await bench.submit();
    for (let times = 0; times < 150; times += 1) await lied(id, String(times));
    expect(bench.stores.audit.list(ORG, 1_000)).toHaveLength(100);
    bench.clock.jumpTo(bench.clock.now() + 3_600_000);
    await lied(id, "150");
    expect(bench.stores.audit.list(ORG, 1_000)).toHaveLength(101);
  });

  test("is written down once, however often it says the same", async () => {
    const id = await bench.submit();
    for (let times = 0; times < 3; times += 1) await lied(id, "27");
    await lied(id, "28");
    await lied(id, "27");
    const refused = bench.stores.audit.list(ORG, 10);
    expect(refused.map(({ details }) => details?.result)).toMatchObject([
      ...[{ fiscalId: "27" }, { fiscalId: "28" }, { fiscalId: "27" }],
    ]);
  });

  test("keeps what others did out of the log by no notes of its own", async () => {
    for (const app of ["a", "b", "c"]) {
      for (let times = 0; times < 100; times += 1) expect(await noted(app, "hello")).toBe(true);
    }
    expect(await noted("d", "hello")).toBe(false);
    expect(await noted("builtin", "receipt.put_away")).toBe(true);
    await lied(await bench.submit(), "27");
    const [refused, putAway] = bench.stores.audit.list(ORG, 2);
    expect([refused?.action, putAway?.action]).toEqual([
      ...["command.report_refused", "receipt.put_away"],
    ]);
  });
});
