/** Settling a command that is still `processing`, of a device that cannot be asked. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import {
  COMMANDS,
  type CommandsBench,
  createCommandsBench,
  SALE,
  UNKNOWN,
} from "./testing/commands-bench.ts";

const REFUSED = "409 CONFLICT";
const MINUTE_MS = 60_000;
const NOT_PRINTED: CommandResult = {
  ...{ success: false, errorCode: "E102", data: { outcome: "not_printed" } },
};

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

const receipts = () => bench.database.sqlite.prepare("SELECT * FROM receipts").all();
const audited = (action: string) =>
  bench.database.sqlite.prepare("SELECT * FROM audit_entries WHERE action = ?").all(action);

/** A command of which the payment may have gone out; then the line is lost. */
async function lost(type: CommandType = "print_receipt", payload: unknown = SALE): Promise<string> {
  const id = await bench.queued(type, payload);
  await bench.marked(id, "baseline");
  await bench.marked(id, "committing");
  bench.queue.lineLost(bench.deviceId);
  return id;
}

describe("a command in doubt whose device is silent for a minute", () => {
  test("can be called printed: it is completed, and the next one goes once it was asked", async () => {
    const id = await lost();
    const next = await bench.queued();
    await bench.clock.advanceAsync(MINUTE_MS);
    const answer = await bench.resolve(id, { outcome: "printed", fiscalId: "27" });
    expect(answer.body).toMatchObject({
      command: {
        status: "completed",
        result: {
          ...{ success: true, fiscalId: "27" },
          data: { settledBy: expect.stringMatching(/^key:key_/) },
        },
      },
    });
    expect(receipts()).toMatchObject([{ command_id: id, fiscal_id: "27", receipt_number: "27" }]);
    expect(audited("command.resolve")).toHaveLength(1);
    await bench.atRest();
    expect(bench.levers.sent.slice(-2)).toMatchObject([
      { type: "error", code: "FINAL", commandId: id },
      { type: "command.resolve", command: { id }, mark: "committing" },
    ]);
    expect(bench.levers.sent.at(-1)).not.toHaveProperty("neverFinish");
    // While nothing is paid of it that number is another paper's.
    expect(bench.levers.sent.at(-1)).not.toHaveProperty("mayPrint");
    await bench.finish(id, { success: true, fiscalId: "27" });
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: next } });
    expect(bench.levers.sent.at(-1)).not.toHaveProperty("neverFinish");
  });

  test("may still come out where it was called printed without a number", async () => {
    const id = await lost();
    await bench.clock.advanceAsync(MINUTE_MS);
    await bench.resolve(id, { outcome: "printed" });
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id }, mayPrint: true });
    expect(bench.levers.sent.at(-1)).not.toHaveProperty("neverFinish");
  });

  test("can be called not printed: it is failed, and nothing may finish it any more", async () => {
    const id = await lost();
    const next = await bench.queued();
    await bench.clock.advanceAsync(MINUTE_MS);
    expect((await bench.resolve(id, { outcome: "not_printed" })).body).toMatchObject({
      command: {
        status: "failed",
        result: { errorCode: "E102", data: { outcome: "not_printed" } },
      },
    });
    await bench.atRest();
    expect(receipts()).toEqual([]);
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id }, neverFinish: true });
    expect(bench.levers.sent.at(-1)).not.toHaveProperty("mayPrint");
    await bench.finish(id, NOT_PRINTED);
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: next }, neverFinish: true });
  });

  test.each(["z_report", "cash_in"] as const)("may be a %s", async (type) => {
    const id = await lost(type, type === "cash_in" ? { amount: 5 } : {});
    await bench.clock.advanceAsync(MINUTE_MS);
    expect((await bench.resolve(id, { outcome: "printed" })).body).toMatchObject({
      command: { status: "completed" },
    });
  });

  test("tells a person when the device says otherwise later", async () => {
    const id = await lost();
    await bench.clock.advanceAsync(MINUTE_MS);
    await bench.resolve(id, { outcome: "not_printed" });
    await bench.finish(id, { success: true, fiscalId: "27" });
    expect(audited("command.late_result")).toHaveLength(1);
    expect(bench.queue.lateResults(bench.deviceId)).toEqual([
      { commandId: id, at: bench.clock.now(), fiscalId: "27" },
    ]);
  });

  test("tells nobody when the device says the same", async () => {
    const id = await lost();
    await bench.clock.advanceAsync(MINUTE_MS);
    await bench.resolve(id, { outcome: "printed" });
    await bench.finish(id, { success: true, fiscalId: "27" });
    expect(audited("command.late_result")).toEqual([]);
  });

  test("is one whose device was taken from its controller", async () => {
    const id = await bench.queued();
    await bench.marked(id, "committing");
    bench.levers.connected = false;
    bench.queue.withdrawn(bench.deviceId);
    await bench.clock.advanceAsync(MINUTE_MS);
    expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
  });
});

describe("a command that cannot be settled while it runs", () => {
  test("is one whose device was asked less than a minute ago", async () => {
    const id = await lost();
    await bench.clock.advanceAsync(MINUTE_MS - 1);
    expect((await bench.resolve(id, { outcome: "printed" })).refusal).toBe(REFUSED);
    expect(receipts()).toEqual([]);
  });

  test("is one whose device goes on with it", async () => {
    const id = await bench.queued();
    await bench.marked(id, "baseline");
    bench.queue.lineLost(bench.deviceId);
    await bench.marked(id, "committing");
    await bench.clock.advanceAsync(MINUTE_MS);
    expect((await bench.resolve(id, { outcome: "printed" })).refusal).toBe(REFUSED);
  });

  test("is one that has changed nothing, or leaves nothing behind", async () => {
    const id = await bench.queued();
    bench.queue.lineLost(bench.deviceId);
    await bench.clock.advanceAsync(MINUTE_MS);
    expect((await bench.resolve(id, { outcome: "printed" })).refusal).toBe(REFUSED);
    await bench.finish(id, { success: false, errorCode: "E306", data: { outcome: "not_printed" } });
    const slip = await lost("non_fiscal_receipt", { lines: ["a"] });
    await bench.clock.advanceAsync(MINUTE_MS);
    expect((await bench.resolve(slip, { outcome: "printed" })).refusal).toBe(REFUSED);
  });
});

describe("a receipt that a person called not printed", () => {
  test("and that stands open all the same is asked about again", async () => {
    const id = await bench.queued();
    await bench.finish(id, UNKNOWN);
    await bench.resolve(id, { outcome: "not_printed" });
    const next = await bench.queued();
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: next }, neverFinish: true });
    await bench.finish(next, {
      ...{ success: false, errorCode: "E301", data: { outcome: "not_printed" } },
    });
    const held = await bench.queued();
    expect(bench.stores.commands.get(bench.orgId, held)?.status).toBe("pending");
    const alerts = await bench.owner.get(`/api/v1/devices/${bench.deviceId}/alerts`);
    expect(alerts.text).toContain("outcome_unknown");
    expect((await bench.till.get(`${COMMANDS}/${id}`)).body).toMatchObject({
      command: { resolution: { outcome: null } },
    });
    await bench.resolve(id, { outcome: "printed" });
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: held } });
    expect(bench.levers.sent.at(-1)).not.toHaveProperty("neverFinish");
  });

  test("is past when another was printed", async () => {
    const id = await bench.queued();
    await bench.finish(id, UNKNOWN);
    await bench.resolve(id, { outcome: "not_printed" });
    await bench.finish(await bench.queued(), { success: true, fiscalId: "28" });
    await bench.queued();
    expect(bench.levers.sent.at(-1)).not.toHaveProperty("neverFinish");
  });

  test.each(["printed", "not_printed"])(
    "is still not to be finished after a Z report that was called %s",
    async (outcome) => {
      const id = await bench.queued();
      await bench.finish(id, UNKNOWN);
      await bench.resolve(id, { outcome: "not_printed" });
      const report = await bench.queued("z_report", {});
      await bench.finish(report, UNKNOWN);
      await bench.resolve(report, { outcome });
      await bench.queued();
      expect(bench.levers.sent.at(-1)).toMatchObject({ neverFinish: true });
    },
  );
});

describe("a ledger entry that a person called not made", () => {
  test.each([
    ["z_report", {}],
    ["cash_in", { amount: 5 }],
  ] as const)("of type %s forbids nothing to later receipts", async (type, payload) => {
    const id = await bench.queued(type, payload);
    await bench.finish(id, UNKNOWN);
    expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
    const next = await bench.queued();
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: next } });
    expect(bench.levers.sent.at(-1)).not.toHaveProperty("neverFinish");
  });

  test("forbids nothing either when its device could not be asked", async () => {
    const id = await lost("z_report", {});
    await bench.clock.advanceAsync(MINUTE_MS);
    await bench.resolve(id, { outcome: "not_printed" });
    await bench.finish(id, NOT_PRINTED);
    await bench.queued();
    expect(bench.levers.sent.at(-1)).toMatchObject({ type: "command.dispatch" });
    expect(bench.levers.sent.at(-1)).not.toHaveProperty("neverFinish");
  });
});
