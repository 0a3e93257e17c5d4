import { beforeEach, describe, expect, test } from "bun:test";
import { Writer } from "#db/writer.ts";
import { createEventBus } from "../events/bus.ts";
import { EventLog } from "../events/event-log.ts";
import { createRandom } from "../platform/random.ts";
import { createCommandChanges, NO_EFFECTS } from "./changes.ts";
import { endUnfinished } from "./device-end.ts";
import { createRecordKeeper } from "./record-keeper.ts";
import { createQueueBench, DEVICE, DONE, type QueueBench } from "./testing/queue-bench.ts";

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
});

describe("a device that another process deletes", () => {
  /** As `fiscald device remove` does beside a running gateway. */
  const removeElsewhere = async (): Promise<void> => {
    const { clock, database, stores } = bench;
    const random = createRandom(clock);
    const bus = createEventBus(() => undefined);
    const other = new Writer(database, { events: new EventLog({ stores, bus, clock, random }) });
    const changes = createCommandChanges(stores, createRecordKeeper(stores, random), NO_EFFECTS);
    await endUnfinished({ commands: stores.commands, writer: other, clock, changes }, DEVICE);
  };
  const notice = (): void => {
    bench.events.catchUp();
    bench.queue.reconcile();
  };

  test("frees its lane, and tells whoever waits for its commands", async () => {
    const running = await bench.submit();
    await bench.marked("c1", running, { mark: "baseline", baseline: {} });
    const waiting = await bench.submit();
    await removeElsewhere();
    notice();
    expect(bench.ended.toSorted()).toEqual([running, waiting]);
    expect(bench.queue.isBusy(DEVICE)).toBe(false);
    await bench.tick(600_000);
    expect(bench.ended).toHaveLength(2);
  });

  test("has its running command refused when that wants to go on", async () => {
    const id = await bench.submit();
    await removeElsewhere();
    notice();
    expect(await bench.marked("c1", id, { mark: "baseline", baseline: {} })).toBe("FINAL");
    expect(await bench.finished("c1", id, DONE)).toBe("FINAL");
    expect(bench.result(id)).toMatchObject({ errorCode: "E903" });
  });

  test("is told of once, also when nothing was waiting", async () => {
    const id = await bench.submit();
    await removeElsewhere();
    notice();
    notice();
    expect(bench.ended).toEqual([id]);
  });
});

test("deleting a device fails what was not finished on it", async () => {
  const ids = [await bench.submit(), await bench.submit()];
  await bench.marked("c1", "cmd_1", { mark: "committing", baseline: {} });
  await bench.queue.failUnfinished(DEVICE);
  expect(ids.map(bench.result)).toMatchObject([
    { errorCode: "E903", data: { outcome: "unknown" } },
    { errorCode: "E903", data: { outcome: "not_printed" } },
  ]);
});
