import { beforeEach, describe, expect, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import type { Reporter } from "#core/controller/judge.ts";
import { storedDevice } from "#core/device/testing/stored-device.ts";
import { rejection } from "../platform/testing/rejection.ts";
import { createQueueBench, DEVICE, DONE, ORG, type QueueBench } from "./testing/queue-bench.ts";

/** The controller inside the process. */
const builtin: Reporter = { orgId: null, controllerId: "c1", reportsMarks: true };

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
});

describe("the controller inside the process", () => {
  const report = (commandId: string, said: CommandResult) =>
    bench.queue.report(builtin, {
      type: "command.result",
      deviceId: DEVICE,
      commandId,
      result: said,
    });
  const NOT_PRINTED: CommandResult = {
    success: false,
    errorCode: "E305",
    data: { outcome: "not_printed" },
  };

  test("gets its next command while the result is being written, once", async () => {
    const ids = [await bench.submit(), await bench.submit(), await bench.submit()];
    await bench.marked("c1", "cmd_1", { mark: "committing", baseline: {} });
    const stored = report("cmd_1", DONE);
    expect(bench.out()).toEqual(["dispatch cmd_1", "dispatch cmd_2"]);
    expect(ids.map(bench.status)).toEqual(["processing", "pending", "pending"]);
    // What is accepted meanwhile does not take it a second time.
    const later = bench.submit();
    await Promise.all([stored, later]);
    expect(bench.out()).toEqual(["dispatch cmd_1", "dispatch cmd_2"]);
    expect(ids.map(bench.status)).toEqual(["completed", "sent", "pending"]);
    expect(bench.sent.at(-1)).toMatchObject({ epoch: 1 });
    expect(bench.stores.commands.get(ORG, "cmd_2")).toMatchObject({ controllerId: "c1", epoch: 1 });
  });

  test("gets nothing ahead of an outcome that nobody knows", async () => {
    await bench.submit();
    await bench.submit();
    await report("cmd_1", { ...NOT_PRINTED, data: { outcome: "unknown" } });
    await report("cmd_1", { ...NOT_PRINTED, data: { outcome: "unknown" } });
    expect(bench.out()).toEqual(["dispatch cmd_1"]);
  });

  test("gets another one when that was cancelled in the same moment", async () => {
    const ids = [await bench.submit(), await bench.submit(), await bench.submit()];
    const cancelled = bench.queue.cancel(ORG, "cmd_2");
    const stored = report("cmd_1", NOT_PRINTED);
    expect((await cancelled)?.cancelled).toBe(true);
    await stored;
    expect(bench.out()).toEqual(["dispatch cmd_1", "dispatch cmd_2", "dispatch cmd_3"]);
    expect(ids.map(bench.status)).toEqual(["failed", "failed", "sent"]);
    // The driver that has the cancelled one stops at its first mark.
    const early = { type: "command.mark", deviceId: DEVICE, commandId: "cmd_2" } as const;
    expect(await bench.queue.report(builtin, { ...early, mark: "baseline", epoch: 1 })).toBe(
      "NOT_YOURS",
    );
  });

  test("is given it again when the result could not be written the first time", async () => {
    await bench.submit();
    await bench.submit();
    bench.database.sqlite.pragma("query_only = ON");
    expect((await rejection(report("cmd_1", NOT_PRINTED))).message).toContain("readonly");
    bench.database.sqlite.pragma("query_only = OFF");
    const early = { type: "command.mark", deviceId: DEVICE, commandId: "cmd_2" } as const;
    expect(await bench.queue.report(builtin, { ...early, mark: "baseline" })).toBe("NOT_YOURS");
    expect(bench.status("cmd_2")).toBe("pending");
    await report("cmd_1", NOT_PRINTED);
    expect(bench.out()).toEqual(["dispatch cmd_1", "dispatch cmd_2", "dispatch cmd_2"]);
    expect(bench.status("cmd_2")).toBe("sent");
  });
});

describe("a duplicate of a receipt that is named", () => {
  const report = (commandId: string, deviceId = DEVICE) =>
    bench.queue.report(builtin, {
      ...{ type: "command.result", deviceId, commandId, result: DONE },
    });
  const sell = async () => {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "committing", baseline: {} });
    return id;
  };
  const receiptOf = (commandId: string) => bench.stores.receipts.ofCommand(commandId)?.id;
  const repeat = async (id: string, receiptId: string | undefined) => {
    const asked = { ...bench.command(id, "print_duplicate"), payload: { receiptId } };
    await bench.queue.accepting(asked, (tx) => bench.queue.accept(tx, asked));
    await bench.atRest();
  };
  const repeated = async (ids: readonly (readonly [string, string | undefined])[]) => {
    const { length: before } = bench.out();
    for (const [id, of] of ids) await repeat(id, of);
    return bench.out().slice(before);
  };
  const refused = (id: string) => [bench.status(id), bench.result(id)?.errorCode];
  /** As a till stores what was printed elsewhere; told the time of issue, or not. */
  const stored = (id: string, issuedAt?: number) => {
    const receipt = bench.stores.receipts.ofCommand("cmd_1");
    const now = bench.clock.now();
    return bench.writer.run(() => {
      if (!receipt) throw new Error("cmd_1 left no receipt");
      bench.stores.receipts.insert({
        ...{ ...receipt, id, commandId: null, source: "api", fiscalId: id },
        ...{ createdAt: now, issuedAt: issuedAt ?? now },
      });
    });
  };

  test("is not handed out behind the sale that comes before it, which is the last one then", async () => {
    await report(await sell());
    const second = await sell();
    await repeat("cmd_copy", receiptOf("cmd_1"));
    await report(second);
    await bench.atRest();
    expect(bench.out()).toEqual(["dispatch cmd_1", "dispatch cmd_2"]);
    expect(refused("cmd_copy")).toEqual(["failed", "E400"]);
  });

  test.each([
    ["whatever the clock said", 3 * 3_600_000],
    ["by an even clock", 0],
  ])("is handed out for the last one, %s, and for none that is older or unknown", async (_, ms) => {
    await report(await sell());
    bench.clock.jumpTo(bench.clock.now() - ms);
    await report(await sell());
    for (const [id, of] of [
      ["cmd_old", receiptOf("cmd_1")],
      ["cmd_none", "rct_none"],
      ["cmd_last", receiptOf("cmd_2")],
    ] as const) {
      await repeat(id, of);
    }
    expect(bench.out().slice(2)).toEqual(["dispatch cmd_last"]);
    expect([refused("cmd_old"), refused("cmd_none")]).toEqual([
      ["failed", "E400"],
      ["failed", "E400"],
    ]);
  });

  test("is handed out for the last one by its number, with the zeros of the paper or without", async () => {
    await report(await sell());
    await stored("0000041");
    const ids = [
      ["cmd_other", "410"],
      ["cmd_short", "41"],
    ] as const;
    expect(await repeated(ids)).toEqual(["dispatch cmd_short"]);
    expect(refused("cmd_other")).toEqual(["failed", "E400"]);
  });

  test("is handed out for what printed last of a printer's two records, not what was accepted last", async () => {
    for (const id of [DEVICE, "dev_2"]) {
      bench.stores.devices.insert(storedDevice({ id, orgId: ORG, serialNumber: "AB123456" }));
    }
    const waiting = await bench.submit();
    const later = await bench.submit("print_receipt", "dev_2");
    await bench.queue.report(builtin, {
      ...{ type: "command.mark", deviceId: "dev_2", commandId: later, mark: "committing" },
      ...{ baseline: {}, epoch: 1 },
    });
    await report(later, "dev_2");
    await bench.marked("c1", waiting, { mark: "committing", baseline: {} });
    await report(waiting);
    const asked = [
      ["cmd_old", receiptOf(later)],
      ["cmd_last", receiptOf(waiting)],
    ] as const;
    expect(await repeated(asked)).toEqual(["dispatch cmd_last"]);
    expect(refused("cmd_old")).toEqual(["failed", "E400"]);
  });

  test.each([
    ["that was stored behind it", 0, undefined],
    ["that was stored behind it when the clock had been set back", 3 * 3_600_000, undefined],
    ["that was issued in the same minute", 0, -1_000],
  ])("is handed out for one made elsewhere %s", async (_, backMs, issuedMs) => {
    await report(await sell());
    bench.clock.jumpTo(60_000 * Math.ceil(bench.clock.now() / 60_000) + 30_000);
    await report(await sell());
    const issued = bench.clock.now();
    bench.clock.jumpTo(issued + 1_000 - backMs);
    await stored("rct_api", issuedMs && issued + issuedMs);
    const asked = [
      ["cmd_old", receiptOf("cmd_2")],
      ["cmd_last", "rct_api"],
    ] as const;
    expect(await repeated(asked)).toEqual(["dispatch cmd_last"]);
    expect(refused("cmd_old")).toEqual(["failed", "E400"]);
  });

  /** The printer cannot tell of it, or cannot be asked. */
  const doubted = async (id: string, isAsked: boolean): Promise<void> => {
    if (!isAsked) return bench.restart();
    await bench.queue.report(builtin, {
      ...{ type: "command.result", deviceId: DEVICE, commandId: id },
      result: { success: false, errorCode: "E903", data: { outcome: "unknown" } },
    });
  };
  const settled = (id: string) => {
    const command = bench.stores.commands.get(ORG, id);
    if (!command) throw new Error("no such command");
    const word = { outcome: "printed", fiscalId: undefined, by: "usr_1", address: null } as const;
    return bench.writer.run((tx) =>
      bench.queue.settle(tx, command, { ...word, now: bench.clock.now() }),
    );
  };

  test.each([
    ["one made elsewhere behind a sale", "rct_behind", true],
    ["one made elsewhere behind a sale that could not be asked of", "rct_behind", false],
    ["a sale behind one made elsewhere", undefined, true],
    ["a sale that could not be asked of behind one made elsewhere", undefined, false],
  ])("is handed out, once a person settled the sale, for %s", async (_, behind, isAsked) => {
    await report(await sell());
    await bench.tick(60_000);
    await stored("rct_before");
    await bench.tick(60_000);
    const sale = await sell();
    await doubted(sale, isAsked);
    await bench.tick(300_000);
    if (behind !== undefined) await stored(behind, bench.clock.now() - 1_000);
    await bench.tick(300_000);
    await settled(sale);
    const ours = receiptOf(sale);
    const older = behind === undefined ? [] : [["cmd_old", ours] as const];
    expect(await repeated([["cmd_older", "rct_before"], ...older])).toEqual([]);
    expect(await repeated([["cmd_last", behind ?? ours]])).toEqual(["dispatch cmd_last"]);
  });

  test.each([
    ["ahead", 3_600_000],
    ["behind", -3_600_000],
  ])(
    "is handed out for the last one behind a settled sale that a printer proves by a clock %s",
    async (_, offMs) => {
      bench.stores.devices.insert(
        storedDevice({ id: DEVICE, orgId: ORG, serialNumber: "AB123456" }),
      );
      await report(await sell());
      await bench.tick(60_000);
      await stored("rct_before");
      await bench.tick(60_000);
      const sale = await sell();
      await doubted(sale, false);
      await bench.tick(300_000);
      await settled(sale);
      const issuedAt = new Date(bench.clock.now() + offMs).toISOString();
      const proven = { success: true, fiscalId: "28", data: { issuedAt } };
      await bench.queue.report(builtin, {
        ...{ type: "command.result", deviceId: DEVICE, commandId: sale, result: proven },
      });
      const ours = receiptOf(sale);
      expect(bench.stores.receipts.ofCommand(sale)?.issuedAt).toBe(Date.parse(issuedAt));
      expect(await repeated([["cmd_before", "rct_before"]])).toEqual([]);
      expect(await repeated([["cmd_ours", ours]])).toEqual(["dispatch cmd_ours"]);
      await report("cmd_ours");
      await bench.tick(300_000);
      await stored("rct_behind");
      expect(await repeated([["cmd_old", ours]])).toEqual([]);
      expect(await repeated([["cmd_last", "rct_behind"]])).toEqual(["dispatch cmd_last"]);
    },
  );

  test("is handed out for the last one though older ones made elsewhere are stored behind it", async () => {
    await report(await sell());
    const issued = bench.clock.now();
    bench.clock.jumpTo(issued + 3_600_000);
    await stored("rct_api", issued - 3_600_000);
    const asked = [
      ["cmd_old", "rct_api"],
      ["cmd_last", receiptOf("cmd_1")],
    ] as const;
    expect(await repeated(asked)).toEqual(["dispatch cmd_last"]);
    await report("cmd_last");
    await stored("rct_new");
    await stored("rct_older", issued - 2 * 3_600_000);
    expect(await repeated([["cmd_older", "rct_older"]])).toEqual([]);
    expect(refused("cmd_older")).toEqual(["failed", "E400"]);
  });
});

describe("an idle device", () => {
  const accepted = (id: string) => {
    const asked = bench.command(id);
    return bench.queue.accepting(asked, (tx) => bench.queue.accept(tx, asked));
  };
  const baseline = (commandId: string) =>
    bench.queue.report(builtin, {
      ...{ type: "command.mark", deviceId: DEVICE, commandId, mark: "baseline", epoch: 1 },
      baseline: { number: 1 },
    });

  test("begins ahead of the acceptance, which is on disk before the baseline is", async () => {
    const stored = accepted("cmd_a");
    expect(bench.out()).toEqual(["dispatch cmd_a"]);
    expect(bench.status("cmd_a")).toBeUndefined();
    expect(await baseline("cmd_a")).toBe("STORED");
    await stored;
    expect(bench.stores.commands.get(ORG, "cmd_a")).toMatchObject({
      status: "processing",
      epoch: 1,
    });
    expect(bench.out()).toEqual(["dispatch cmd_a"]);
    await bench.finished("c1", "cmd_a", DONE);
    await accepted("cmd_b");
    expect(bench.out()).toEqual(["dispatch cmd_a", "dispatch cmd_b"]);
  });

  test("gets one of those that come at once, and the others after it", async () => {
    const first = bench.command("cmd_first");
    const before = bench.writer.run((tx) => bench.queue.accept(tx, first));
    await Promise.all([before, accepted("cmd_a"), accepted("cmd_b")]);
    await bench.atRest();
    expect(bench.out()).toEqual(["dispatch cmd_a"]);
    expect(["cmd_first", "cmd_a", "cmd_b"].map(bench.status)).toEqual([
      "pending",
      "sent",
      "pending",
    ]);
    await bench.finished("c1", "cmd_a", DONE);
    expect(bench.out()).toEqual(["dispatch cmd_a", "dispatch cmd_first"]);
  });

  test("is refused its first mark when the acceptance failed, and gets the next", async () => {
    const first = bench.command("cmd_first");
    const refused = bench.queue.accepting(bench.command("cmd_a"), () => {
      throw new Error("no such device");
    });
    const before = bench.writer.run((tx) => bench.queue.accept(tx, first));
    expect((await rejection(refused)).message).toContain("no such device");
    await before;
    await bench.atRest();
    expect(await baseline("cmd_a")).toBe("NOT_YOURS");
    expect(bench.out()).toEqual(["dispatch cmd_a", "dispatch cmd_first"]);
    expect(bench.status("cmd_a")).toBeUndefined();
    expect(bench.status("cmd_first")).toBe("sent");
  });

  test("of a remote controller waits for the disk", async () => {
    bench.controller.remote = true;
    const stored = accepted("cmd_a");
    expect(bench.out()).toEqual([]);
    await stored;
    expect(bench.out()).toEqual(["dispatch cmd_a"]);
  });

  test("that its controller loses meanwhile leaves the command pending", async () => {
    const stored = accepted("cmd_a");
    bench.controller.connected = false;
    await stored;
    expect(bench.status("cmd_a")).toBe("pending");
    bench.controller.connected = true;
    bench.queue.ready(DEVICE);
    await bench.atRest();
    expect(bench.out()).toEqual(["dispatch cmd_a", "dispatch cmd_a"]);
    expect(bench.status("cmd_a")).toBe("sent");
  });
});
