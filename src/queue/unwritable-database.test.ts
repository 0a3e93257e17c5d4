import { beforeEach, describe, expect, test } from "bun:test";
import { rejection } from "../platform/testing/rejection.ts";
import { createQueueBench, DEVICE, DONE, ORG, type QueueBench } from "./testing/queue-bench.ts";

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
});

describe("a database that cannot be written for a while", () => {
  const fail = (): unknown => bench.database.sqlite.pragma("query_only = ON");
  const mend = (): unknown => bench.database.sqlite.pragma("query_only = OFF");

  test("keeps no mark it did not store, so that the driver does not go on", async () => {
    const id = await bench.submit();
    fail();
    const stored = bench.marked("c1", id, { mark: "baseline", baseline: {} });
    expect((await rejection(stored)).message).toContain("readonly");
    mend();
    expect(bench.stores.commands.get(ORG, id)).toMatchObject({ status: "sent", mark: null });
  });

  test("takes the result when it is told again, and goes on with the next command", async () => {
    const ids = [await bench.submit(), await bench.submit()];
    fail();
    expect((await rejection(bench.finished("c1", "cmd_1", DONE))).message).toContain("readonly");
    mend();
    expect(ids.map(bench.status)).toEqual(["sent", "pending"]);
    expect(await bench.finished("c1", "cmd_1", DONE)).toBe("STORED");
    expect(ids.map(bench.status)).toEqual(["completed", "sent"]);
    expect(bench.ended).toEqual(["cmd_1"]);
  });

  test("claims the next command when it can again", async () => {
    bench.controller.connected = false;
    const id = await bench.submit();
    bench.controller.connected = true;
    fail();
    bench.queue.ready(DEVICE);
    await bench.atRest();
    mend();
    expect(bench.out()).toEqual([]);
    await bench.tick(1_000);
    expect(bench.out()).toEqual([`dispatch ${id}`]);
  });

  test("times a command out when it can again", async () => {
    const id = await bench.submit();
    fail();
    await bench.tick(180_000);
    mend();
    expect(bench.status(id)).toBe("sent");
    await bench.tick(1_000);
    expect(bench.status(id)).toBe("timeout");
    expect(bench.ended).toEqual([id]);
  });

  test("ends what was taken from its controller when it can again", async () => {
    const id = await bench.submit();
    await bench.acknowledged("c1", id);
    await bench.atRest();
    bench.controller.connected = false;
    fail();
    bench.queue.withdrawn(DEVICE);
    await bench.atRest();
    mend();
    expect(bench.status(id)).toBe("processing");
    await bench.tick(1_000);
    expect(bench.result(id)).toMatchObject({ errorCode: "E102", data: { outcome: "not_printed" } });
  });
});
