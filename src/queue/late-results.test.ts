import { beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import {
  createQueueBench,
  DEVICE,
  DONE,
  ORG,
  type QueueBench,
  reporter,
} from "./testing/queue-bench.ts";

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
  bench.stores.devices.insert({
    ...{ id: DEVICE, orgId: ORG, name: "Till", locationId: "shop", managedBy: "builtin" },
    ...{ driver: "vendorA.isl", transport: "tcp", connectionParams: { host: "h", port: 1 } },
    ...{ controllerId: null, controllerName: null, storedStatus: "offline", lastSeenAt: null },
    ...{ serialNumber: null, fiscalMemorySerialNumber: null, model: null, firmwareVersion: null },
    ...{ charsPerLine: null, reversalTenders: null, addressKeys: null, createdAt: 0, updatedAt: 0 },
  });
});

describe("a result that came too late", () => {
  const late = async (result: CommandResult): Promise<string> => {
    const id = await bench.submit();
    await bench.tick(180_000);
    await bench.finished("c1", id, result);
    await said(id, "not_printed");
    return id;
  };
  /** A person looks at the paper, where one is asked. */
  const said = async (id: string, outcome: "printed" | "not_printed"): Promise<void> => {
    const word = { outcome, fiscalId: undefined, by: "usr_1", address: null };
    await bench.writer.run((tx) => {
      const command = bench.stores.commands.get(ORG, id);
      if (command) bench.queue.settle(tx, command, { ...word, now: bench.clock.now() });
    });
    await bench.atRest();
  };
  const NUMBER = { fiscalId: "27" };
  const known = (deviceId = DEVICE) => bench.queue.lateResults(deviceId);

  test("is known of the device when it was a printed receipt", async () => {
    expect(known()).toEqual([]);
    const commandId = await late(DONE);
    expect(known()).toEqual([{ commandId, at: bench.clock.now(), ...NUMBER }]);
    expect(known("dev_2")).toEqual([]);
  });

  test("is no matter when nothing was printed", async () => {
    await late({ success: false, errorCode: "E306", data: { outcome: "not_printed" } });
    expect(known()).toEqual([]);
  });

  test("is known where the device told of a receipt as not printed, and then cannot tell", async () => {
    const told = (outcome: string) => ({
      ...({ success: false, errorCode: "E102", errorMessage: "lost" } as const),
      data: { outcome },
    });
    const commandId = await bench.submit();
    await bench.finished("c1", commandId, told("not_printed"));
    await bench.finished("c1", commandId, told("not_printed"));
    expect(known()).toEqual([]);
    await bench.finished("c1", commandId, told("unknown"));
    expect(known()).toEqual([{ commandId, at: bench.clock.now() }]);
    await bench.restart();
    expect(known()).toMatchObject([{ commandId }]);
    const result = bench.stores.commands.get(ORG, commandId)?.result;
    expect(result).toMatchObject({ data: { outcome: "not_printed" } });
    const actions = bench.stores.audit.list(ORG, 10).map(({ action }) => action);
    expect(actions).toContain("command.report_refused");
    expect(actions).toContain("command.late_result");
    expect(bench.stores.outcomeHolds.listOpen()).toMatchObject([{ commandId }]);
    const next = await bench.submit();
    expect(bench.status(next)).toBe("pending");
  });

  test("is nothing where an earlier owner of the device cannot tell", async () => {
    const commandId = await bench.submit();
    await bench.marked("c1", commandId, { mark: "committing", baseline: {} });
    bench.queue.ready(DEVICE);
    await bench.atRest();
    const told = (outcome: string, epoch: number) =>
      bench.queue.report(reporter("c1"), {
        ...{ type: "command.result", deviceId: DEVICE, commandId, epoch },
        result: { success: false, errorCode: "E102", errorMessage: "lost", data: { outcome } },
      });
    expect(await told("not_printed", 2)).toBe("STORED");
    expect(await told("unknown", 1)).toBe("STALE");
    expect(known()).toEqual([]);
    expect(bench.queue.isHeld(DEVICE)).toBe(false);
  });

  test("stands beside those before it, once each, and 20 of them at most", async () => {
    const ids: string[] = [];
    for (let number = 0; number < 21; number += 1) ids.unshift(await late(DONE));
    const latest = ids.slice(0, 20);
    expect(known().map(({ commandId }) => commandId)).toEqual(latest);
    // Said again it is no news.
    await bench.finished("c1", ids[1] ?? "", DONE);
    expect(known().map(({ commandId }) => commandId)).toEqual(latest);
    await bench.restart();
    expect(known().map(({ commandId }) => commandId)).toEqual(latest);
  });

  test("is still known after a restart, for a day", async () => {
    const commandId = await late(DONE);
    const at = bench.clock.now();
    bench.clock.jumpTo(at + 86_399_999);
    await bench.restart();
    expect(known()).toEqual([{ commandId, at, ...NUMBER }]);
    bench.clock.jumpTo(at + 86_400_000);
    await bench.restart();
    expect(known()).toEqual([]);
  });

  describe("told of the hand-over before, by the controller that has it anew,", () => {
    const Z: CommandResult = { success: true, data: { reportNumber: "5" } };
    const CUT: CommandResult = { success: false, errorCode: "E102", data: { outcome: "unknown" } };
    const told = (commandId: string, epoch: 1 | 2, result: CommandResult) =>
      bench.queue.report(reporter(epoch === 1 ? "c1" : bench.controller.id), {
        ...({ type: "command.result", deviceId: DEVICE, commandId, epoch } as const),
        result,
      });
    /** Handed out, begun, and handed over anew. */
    const handedOverAnew = async (type: CommandType): Promise<string> => {
      const commandId = await bench.submit(type);
      await bench.marked("c1", commandId, { mark: "committing", baseline: {} });
      bench.queue.ready(DEVICE);
      await bench.atRest();
      return commandId;
    };

    test.each([
      ["print_receipt", DONE],
      ["print_receipt", { success: true, data: {} }],
      ["z_report", Z],
      ["cash_in", { success: true, data: {} }],
    ] as const)("is no news where that ends with the same: %s %j", async (type, result) => {
      const commandId = await handedOverAnew(type);
      expect(await told(commandId, 1, result)).toBe("STALE");
      // How it ends is not known yet.
      expect(known()).toEqual([]);
      expect(await told(commandId, 2, result)).toBe("STORED");
      expect(known()).toEqual([]);
      expect(await told(commandId, 1, result)).toBe("STALE");
      expect(known()).toEqual([]);
      await bench.restart();
      expect(known()).toEqual([]);
    });

    test.each([
      ["another number", { ...DONE, fiscalId: "28" }],
      ["a failure", CUT],
    ])("is news as soon as that ends with %s", async (_, end) => {
      const commandId = await handedOverAnew("print_receipt");
      expect(await told(commandId, 1, DONE)).toBe("STALE");
      expect(known()).toEqual([]);
      expect(await told(commandId, 2, end)).toBe("STORED");
      expect(known()).toMatchObject([{ commandId, ...NUMBER }]);
      await bench.restart();
      expect(known()).toMatchObject([{ commandId, ...NUMBER }]);
    });

    test("is news at once where another controller has it by now", async () => {
      const commandId = await bench.submit("z_report");
      await bench.marked("c1", commandId, { mark: "committing", baseline: {} });
      bench.controller.id = "c2";
      bench.queue.ready(DEVICE);
      await bench.atRest();
      expect(await told(commandId, 1, Z)).toBe("STALE");
      expect(known()).toMatchObject([{ commandId }]);
      // It may have made a second one.
      expect(await told(commandId, 2, Z)).toBe("STORED");
      expect(known()).toMatchObject([{ commandId }]);
      await bench.restart();
      expect(known()).toMatchObject([{ commandId }]);
    });
  });

  test("is kept of a receipt whose device was deleted while it was printed", async () => {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "committing", baseline: {} });
    await bench.queue.failUnfinished(DEVICE);
    expect(await bench.finished("c1", id, DONE)).toBe("FINAL");
    expect(bench.stores.audit.list(ORG, 10)).toMatchObject([{ action: "command.late_result" }]);
  });
});
