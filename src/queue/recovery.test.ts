import { beforeEach, describe, expect, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import { BUILTIN_CONTROLLER } from "#core/controller/controller.ts";
import { sayPrinted } from "./testing/last-document-bench.ts";
import { createQueueBench, DEVICE, DONE, ORG, type QueueBench } from "./testing/queue-bench.ts";

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
});

const OWN = BUILTIN_CONTROLLER.controllerId;
/** A printer that is to be asked for its last document. */
const ASKED = {
  ...{ orgId: ORG, address: null, serialNumber: null, fiscalMemorySerialNumber: null },
  ...{ state: "asked" as const, raisedAt: 0 },
};

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
    bench.controller.id = OWN;
    const id = await bench.submit();
    await bench.acknowledged(OWN, id);
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

  describe("what waited too long meanwhile, while its printer is to be asked what it printed last,", () => {
    let id: string;
    beforeEach(async () => {
      bench.controller.connected = false;
      id = await bench.submit();
      bench.stores.documentChecks.raise({ ...ASKED, deviceId: DEVICE });
      bench.clock.jumpTo(bench.clock.now() + 200_000);
      await bench.restart();
      await bench.tick(59_000);
      expect(bench.status(id)).toBe("pending");
    });

    test("times out once it has told nothing new", async () => {
      bench.stores.documentChecks.remove(DEVICE);
      await bench.tick(1_000);
      expect(bench.status(id)).toBe("timeout");
      expect(bench.result(id)).toMatchObject({ data: { outcome: "not_printed" } });
    });

    test("times out after a minute without a word, and may be printed", async () => {
      await bench.tick(2_000);
      expect(bench.status(id)).toBe("timeout");
      expect(bench.result(id)).toMatchObject({ data: { outcome: "unknown" } });
    });
  });

  test("a non-fiscal slip that had begun printing is not printed again", async () => {
    bench.controller.id = OWN;
    const id = await bench.submit("non_fiscal_receipt");
    await bench.marked(OWN, id, { mark: "committing" });
    await bench.restart();
    await bench.atRest();
    expect(bench.out()).toEqual([]);
    expect(bench.result(id)).toMatchObject({ errorCode: "E102" });
  });
});

describe("what waited for longer than for a controller, behind another one, at a restart", () => {
  test.each([
    ["", false],
    [", and its printer is asked first", true],
  ])("has the rest of its time once a controller is there%s", async (_, isAsked) => {
    const first = await bench.submit();
    const next = await bench.submit();
    await bench.tick(70_000);
    if (isAsked) bench.stores.documentChecks.raise({ ...ASKED, deviceId: DEVICE });
    bench.controller.connected = false;
    await bench.restart();
    await bench.tick(5_000);
    expect(bench.status(next)).toBe("pending");
    bench.controller.connected = true;
    bench.queue.ready(DEVICE);
    bench.stores.documentChecks.remove(DEVICE);
    bench.queue.holdsChanged();
    await bench.atRest();
    await bench.finished("c1", first, DONE);
    await bench.tick(1_000);
    expect(bench.status(next)).toBe("sent");
    await bench.tick(180_000 - 76_000);
    expect(bench.status(next)).toBe("timeout");
  });

  test("waits for one as long as what is accepted then", async () => {
    await bench.submit();
    const next = await bench.submit();
    await bench.tick(70_000);
    bench.controller.connected = false;
    await bench.restart();
    await bench.tick(59_999);
    expect(bench.status(next)).toBe("pending");
    await bench.tick(1);
    expect(bench.status(next)).toBe("timeout");
  });
});

describe("what a remote controller had at a restart", () => {
  beforeEach(() => {
    Object.assign(bench.controller, { remote: true, id: "c1" });
  });

  test("is asked of it, not ended, and its result counts", async () => {
    const id = await bench.submit();
    await bench.acknowledged("c1", id);
    bench.controller.connected = false;
    await bench.restart();
    expect(bench.status(id)).toBe("processing");
    bench.controller.connected = true;
    bench.queue.ready(DEVICE);
    await bench.atRest();
    expect(bench.sent).toMatchObject([{ type: "command.dispatch", begun: true, epoch: 2 }]);
    expect(await bench.finished("c1", id, DONE)).toBe("STORED");
    expect(bench.status(id)).toBe("completed");
  });

  test("ends when it does not come back, but for what its device can tell", async () => {
    const begun = await bench.submit();
    await bench.acknowledged("c1", begun);
    bench.controller.connected = false;
    await bench.restart();
    await bench.tick(179_999);
    expect(bench.status(begun)).toBe("processing");
    await bench.tick(1);
    expect(bench.result(begun)).toMatchObject({ data: { outcome: "not_printed" } });

    bench.controller.connected = true;
    const marked = await bench.submit();
    await bench.marked("c1", marked, { mark: "baseline", baseline: { ownNumber: 26 } });
    bench.controller.connected = false;
    await bench.restart();
    await bench.tick(3_600_000);
    expect(bench.status(marked)).toBe("processing");
  });

  test("has the time of what was sent, when it goes back into the line before it is there again", async () => {
    const sale = await bench.submit();
    bench.stores.documentChecks.raise({ ...ASKED, deviceId: DEVICE });
    bench.controller.connected = false;
    await bench.restart();
    await bench.tick(179_000);
    expect(bench.status(sale)).toBe("pending");
    await bench.tick(1_000);
    expect(bench.status(sale)).toBe("timeout");
  });

  test("waits behind its printer's last document, but not a slip, which it may have printed", async () => {
    const sale = await bench.submit();
    bench.stores.documentChecks.raise({ ...ASKED, deviceId: DEVICE });
    await bench.restart();
    await bench.atRest();
    expect(bench.status(sale)).toBe("pending");
    expect(bench.out()).toEqual([]);
    bench.stores.documentChecks.remove(DEVICE);
    bench.queue.holdsChanged();
    await bench.atRest();
    expect(bench.out()).toEqual([`dispatch ${sale}`]);
    await bench.finished("c1", sale, DONE);
    const slip = await bench.submit("non_fiscal_receipt");
    bench.stores.documentChecks.raise({ ...ASKED, deviceId: DEVICE });
    await bench.restart();
    await bench.atRest();
    expect(bench.status(slip)).toBe("sent");
  });
});

describe("a controller without marks", () => {
  beforeEach(() => {
    Object.assign(bench.controller, { remote: true, id: "c1", reportsMarks: false });
  });

  test("is given a receipt once: afterwards its device is asked", async () => {
    const id = await bench.submit();
    expect(bench.sent).toMatchObject([{ type: "command.dispatch", begun: false, epoch: 1 }]);
    bench.queue.ready(DEVICE);
    await bench.atRest();
    await bench.restart();
    await bench.atRest();
    expect(bench.out()).toEqual([`resolve ${id}`]);
    expect(bench.sent).toMatchObject([{ mark: "committing", epoch: 3 }]);
  });

  test.each([
    ["was sent to", () => Promise.resolve()],
    ["had begun on", (id: string) => bench.acknowledged("c1", id)],
  ])("is given once, too, what %s another one with marks", async (_, had) => {
    bench.controller.reportsMarks = true;
    const id = await bench.submit();
    await had(id);
    Object.assign(bench.controller, { id: "c2", reportsMarks: false });
    const before = bench.sent.length;
    for (let session = 0; session < 2; session++) {
      bench.queue.ready(DEVICE);
      await bench.atRest();
    }
    expect(bench.sent.slice(before)).toMatchObject([
      { type: "command.dispatch", begun: false, epoch: 2, command: { id } },
      { type: "command.resolve", mark: "committing", epoch: 3, command: { id } },
    ]);
  });

  test.each([
    { says: "says nothing at all", isAcknowledged: false, afterMs: 180_000, errorCode: "E500" },
    { says: "only acknowledges", isAcknowledged: true, afterMs: 1_200_000, errorCode: "E102" },
  ])("that $says leaves a receipt that nobody can tell of", async (after) => {
    const { isAcknowledged, afterMs, errorCode } = after;
    const id = await bench.submit();
    if (isAcknowledged) await bench.acknowledged("c1", id);
    await bench.tick(afterMs - 1);
    expect(bench.stores.outcomeHolds.listOpen()).toEqual([]);
    await bench.tick(1);
    expect(bench.result(id)).toMatchObject({ errorCode, data: { outcome: "unknown" } });
    expect(bench.stores.outcomeHolds.listOpen()).toMatchObject([{ commandId: id }]);
  });

  test("is asked again for what changes nothing", async () => {
    const id = await bench.submit("get_status");
    bench.queue.ready(DEVICE);
    await bench.atRest();
    expect(bench.out()).toEqual([`dispatch ${id}`, `dispatch ${id}`]);
  });
});

describe("a receipt of which the printer does not tell the time", () => {
  const HOURS_MS = 11 * 3_600_000;
  const UNTOLD = { ...DONE, data: { issuedAt: null } };
  const NOBODY_KNOWS = { success: false, errorCode: "E102", data: { outcome: "unknown" } } as const;
  const issuedAt = (id: string) => bench.stores.receipts.ofCommand(id)?.issuedAt;

  /** A sale whose line is lost in the evening; its printer is reached in the morning. */
  async function lostOvernight(result: CommandResult) {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "committing", baseline: {} });
    const at = bench.clock.now();
    await bench.restart();
    await bench.tick(HOURS_MS);
    await bench.told("c1", id, result);
    await bench.atRest();
    return { id, at };
  }

  test("is of the time at which it was paid, where that is found out later", async () => {
    const { id, at } = await lostOvernight(UNTOLD);
    expect(issuedAt(id)).toBe(at);
  });

  test("is of the time at which it was paid, where a person says that it was printed", async () => {
    const { id, at } = await lostOvernight(NOBODY_KNOWS);
    await sayPrinted(bench, id);
    expect(issuedAt(id)).toBe(at);
  });

  test("is of the time at which it was closed, where its paper came later", async () => {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "committing", baseline: {} });
    await bench.tick(300_000);
    await bench.marked("c1", id, { mark: "committed" });
    await bench.told("c1", id, UNTOLD);
    expect(issuedAt(id)).toBe(bench.clock.now());
  });
});
