import { beforeEach, describe, expect, test } from "bun:test";
import { UNHEARD_LIMIT_MS } from "#core/limits.ts";
import {
  createQueueBench,
  DEVICE,
  DONE,
  ORG,
  type QueueBench,
  reporter,
} from "./testing/queue-bench.ts";

const BUILTIN = { orgId: null, controllerId: "builtin", reportsMarks: true };

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
});

describe("a device's queue", () => {
  test("hands out one command at a time, in order of acceptance", async () => {
    const ids = [await bench.submit(), await bench.submit(), await bench.submit()];
    expect(bench.out()).toEqual(["dispatch cmd_1"]);
    expect(ids.map(bench.status)).toEqual(["sent", "pending", "pending"]);
    await bench.finished("c1", "cmd_1", DONE);
    expect(bench.out()).toEqual(["dispatch cmd_1", "dispatch cmd_2"]);
    expect(ids.map(bench.status)).toEqual(["completed", "sent", "pending"]);
  });

  test("claims for an idle device in the commit that accepts, and never two at once", async () => {
    const first = bench.command("cmd_a");
    const second = bench.command("cmd_b");
    // One turn, one transaction.
    await Promise.all([
      bench.writer.run((tx) => bench.queue.accept(tx, first)),
      bench.writer.run((tx) => bench.queue.accept(tx, second)),
    ]);
    expect([bench.status("cmd_a"), bench.status("cmd_b")]).toEqual(["sent", "pending"]);
    await bench.atRest();
    expect(bench.out()).toEqual(["dispatch cmd_a"]);
  });

  test("runs devices side by side", async () => {
    await bench.submit("print_receipt", "dev_1");
    await bench.submit("print_receipt", "dev_2");
    expect(bench.out()).toEqual(["dispatch cmd_1", "dispatch cmd_2"]);
  });

  test("keeps a receipt in the transaction that completes the command", async () => {
    const id = await bench.submit();
    await bench.finished("c1", id, DONE);
    const receipt = bench.stores.receipts.ofCommand(id);
    expect(receipt).toMatchObject({ commandId: id, type: "sale", totalMinor: 300 });
  });

  test("refuses reports from a controller that does not have the command", async () => {
    const id = await bench.submit();
    expect(await bench.finished("c2", id, DONE)).toBe("NOT_YOURS");
    expect(await bench.marked("c2", id, { mark: "baseline", baseline: {} })).toBe("NOT_YOURS");
    expect(bench.status(id)).toBe("sent");
  });

  test("takes a result once and answers a repeated one the same way", async () => {
    const id = await bench.submit();
    expect(await bench.finished("c1", id, DONE)).toBe("STORED");
    expect(await bench.finished("c1", id, DONE)).toBe("STORED");
    expect(await bench.finished("c1", id, { success: false, errorCode: "E305" })).toBe("FINAL");
    expect(bench.result(id)).toMatchObject(DONE);
  });

  test("fails a void of an unknown receipt without sending it", async () => {
    const id = await bench.submit("void_receipt");
    expect(bench.out()).toEqual([]);
    expect(bench.result(id)).toMatchObject({ errorCode: "E401", data: { outcome: "not_printed" } });
  });
});

describe("a controller that takes a device up again", () => {
  test("hears that a command had begun, because its time no longer runs", async () => {
    const id = await bench.submit();
    const stored = bench.acknowledged("c1", id);
    // The acknowledgement is not on disk yet.
    bench.queue.ready(DEVICE);
    await stored;
    await bench.atRest();
    expect(bench.sent.at(-1)).toMatchObject({ type: "command.dispatch", begun: true });
    expect(bench.sent[0]).toMatchObject({ type: "command.dispatch", begun: false });
  });

  test("is asked what became of a document whose mark was on its way to the disk", async () => {
    const id = await bench.submit();
    const stored = bench.marked("c1", id, { mark: "baseline", baseline: {} });
    bench.queue.ready(DEVICE);
    await stored;
    await bench.atRest();
    expect(bench.out()).toEqual([`dispatch ${id}`, `resolve ${id}`]);
  });

  test("is not handed what ended while it connected", async () => {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "committing", baseline: {} });
    const stored = bench.told("c1", id, DONE);
    bench.queue.ready(DEVICE);
    await stored;
    await bench.atRest();
    expect(bench.out()).toEqual([`dispatch ${id}`]);
  });

  test("is not bound by what is said of the hand-over before", async () => {
    const id = await bench.submit();
    bench.queue.ready(DEVICE);
    await bench.atRest();
    expect(bench.sent).toMatchObject([{ epoch: 1 }, { epoch: 2 }]);
    const late = { type: "command.result", deviceId: DEVICE, commandId: id, result: DONE } as const;
    expect(await bench.queue.report(reporter("c1"), { ...late, epoch: 1 })).toBe("STALE");
    expect(bench.status(id)).toBe("sent");
    expect(bench.stores.audit.list(ORG, 10)).toMatchObject([
      { action: "command.late_result", actor: "controller:c1", resource: id },
      { action: "command.report_refused", details: { code: "STALE" } },
    ]);
    // It may be about to say the same of this one.
    const at = bench.clock.now();
    expect(bench.queue.lateResults(DEVICE)).toEqual([]);
    await bench.tick(180_000);
    expect(bench.status(id)).toBe("timeout");
    expect(bench.queue.lateResults(DEVICE)).toMatchObject([{ commandId: id, at }]);
  });

  test("stores what it reads of the device in place of what the one before read", async () => {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "baseline", baseline: { sumMinor: 1 } });
    await bench.marked("c1", id, { mark: "baseline", baseline: { sumMinor: 2 } });
    expect(bench.stores.commands.get(ORG, id)).toMatchObject({ baseline: { sumMinor: 2 } });
    await bench.marked("c1", id, { mark: "committing" });
    await bench.marked("c1", id, { mark: "baseline", baseline: { sumMinor: 3 } });
    expect(bench.stores.commands.get(ORG, id)).toMatchObject({
      mark: "committing",
      baseline: { sumMinor: 2 },
    });
  });
});

describe("a device that is taken from its controller", () => {
  const withdrawn = async ({ isLost = false } = {}) => {
    const id = await bench.submit();
    await bench.acknowledged("c1", id);
    await bench.atRest();
    if (isLost) bench.queue.lineLost(DEVICE);
    bench.controller.connected = false;
    bench.queue.withdrawn(DEVICE);
    await bench.atRest();
    expect(bench.queue.isBusy(DEVICE)).toBe(false);
    return bench.result(id);
  };

  test("ends what had begun but not reached it", async () => {
    expect(await withdrawn()).toMatchObject({
      ...{ errorCode: "E102", data: { outcome: "not_printed" } },
      errorMessage: "The device was taken from its controller before the command reached it",
    });
  });

  test("says of what had begun on a line that broke that the line was lost", async () => {
    expect(await withdrawn({ isLost: true })).toMatchObject({
      ...{ errorCode: "E102", data: { outcome: "not_printed" } },
      errorMessage: "The line to the device was lost before the command reached it",
    });
  });

  for (const type of ["x_report", "print_duplicate", "non_fiscal_receipt"] as const) {
    test(`ends what may have changed it and nobody can tell of: ${type}`, async () => {
      bench.controller.id = "builtin";
      const id = await bench.submit(type);
      await bench.queue.report(BUILTIN, {
        ...{ type: "command.mark", deviceId: DEVICE, commandId: id, mark: "committing" },
      });
      await bench.atRest();
      bench.controller.connected = false;
      bench.queue.withdrawn(DEVICE);
      await bench.atRest();
      expect([bench.status(id), bench.queue.isBusy(DEVICE)]).toEqual(["failed", false]);
      expect(bench.result(id)).toEqual({
        ...{ success: false, errorCode: "E102" },
        errorMessage:
          "The device was taken from its controller while the command ran; look at the device",
      });
      const next = await bench.submit();
      bench.controller.connected = true;
      bench.queue.ready(DEVICE);
      await bench.atRest();
      expect(bench.out().at(-1)).toBe(`dispatch ${next}`);
    });
  }

  test("leaves what may have changed it to the next controller", async () => {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "baseline", baseline: {} });
    bench.controller.connected = false;
    bench.queue.withdrawn(DEVICE);
    await bench.atRest();
    expect(bench.status(id)).toBe("processing");
    bench.controller.connected = true;
    bench.queue.ready(DEVICE);
    await bench.atRest();
    expect(bench.out().at(-1)).toBe(`resolve ${id}`);
  });
});

test("what an app took with a device of the built-in controller ends where it says nothing of it", async () => {
  bench.controller.id = "builtin";
  const id = await bench.submit("x_report");
  await bench.queue.report(BUILTIN, {
    ...{ type: "command.mark", deviceId: DEVICE, commandId: id, mark: "committing" },
  });
  bench.queue.lineLost(DEVICE);
  Object.assign(bench.controller, { remote: true, id: "tablet" });
  bench.queue.ready(DEVICE);
  await bench.tick(UNHEARD_LIMIT_MS - 1);
  expect([bench.out().at(-1), bench.status(id)]).toEqual([`resolve ${id}`, "processing"]);
  // That its connection breaks for a moment puts nothing off.
  bench.queue.lineLost(DEVICE);
  bench.queue.ready(DEVICE);
  const next = await bench.submit();
  await bench.tick(1);
  expect(bench.result(id)).toMatchObject({ success: false, errorCode: "E102" });
  expect(bench.out().at(-1)).toBe(`dispatch ${next}`);
});

test("a reconnecting controller gets what is out as a question once a mark is stored", async () => {
  const id = await bench.submit();
  await bench.marked("c1", id, { mark: "baseline", baseline: {} });
  bench.queue.ready(DEVICE);
  await bench.atRest();
  expect(bench.out()).toEqual([`dispatch ${id}`, `resolve ${id}`]);
});

test("a command that could not be handed out is handed out a little later", async () => {
  bench.controller.fault = new Error("disk I/O error");
  const id = await bench.submit();
  expect(bench.out()).toEqual([]);
  bench.controller.fault = undefined;
  await bench.tick(1_000);
  expect(bench.out()).toEqual([`dispatch ${id}`]);
});

describe("cancelling", () => {
  test("ends a pending command with E903", async () => {
    await bench.submit();
    const id = await bench.submit();
    expect((await bench.queue.cancel(ORG, id))?.cancelled).toBe(true);
    expect(bench.result(id)).toMatchObject({ errorCode: "E903", data: { outcome: "not_printed" } });
  });

  test("leaves a sent command alone", async () => {
    const id = await bench.submit();
    expect((await bench.queue.cancel(ORG, id))?.cancelled).toBe(false);
    expect(bench.status(id)).toBe("sent");
  });
});
