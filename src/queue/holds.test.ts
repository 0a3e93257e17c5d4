import { beforeEach, describe, expect, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import { createQueueBench, ORG, type QueueBench } from "./testing/queue-bench.ts";

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
});

describe("an unknown outcome", () => {
  const UNKNOWN: CommandResult = {
    success: false,
    errorCode: "E102",
    data: { outcome: "unknown" },
  };

  test("holds fiscal documents of the device but lets other commands pass", async () => {
    const doubtful = await bench.submit();
    const held = await bench.submit();
    const passing = await bench.submit("get_status");
    await bench.finished("c1", doubtful, UNKNOWN);
    expect(bench.out()).toEqual(["dispatch cmd_1", "dispatch cmd_3"]);
    await bench.finished("c1", passing, { success: true });
    expect(bench.status(held)).toBe("pending");
  });

  test.each(["z_report", "cash_in"] as const)("of a %s holds the device too", async (type) => {
    const doubtful = await bench.submit(type);
    const held = await bench.submit();
    await bench.finished("c1", doubtful, UNKNOWN);
    expect(bench.status(held)).toBe("pending");
    expect(bench.stores.outcomeHolds.listOpen()).toMatchObject([{ commandId: doubtful }]);
  });

  test("still holds after a restart, and goes on once a person settled it", async () => {
    const doubtful = await bench.submit();
    await bench.finished("c1", doubtful, UNKNOWN);
    await bench.restart();
    const held = await bench.submit();
    expect(bench.status(held)).toBe("pending");
    await bench.writer.run(() =>
      bench.stores.outcomeHolds.resolve(ORG, doubtful, {
        outcome: "not_printed",
        fiscalId: null,
        resolvedBy: "user:u",
        resolvedAt: bench.clock.now(),
      }),
    );
    bench.queue.holdsChanged();
    await bench.atRest();
    expect(bench.status(held)).toBe("sent");
  });
});
