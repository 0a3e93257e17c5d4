/** What waits on a held printer, and which device records lead to it. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { COMMAND_TYPES, effectOf } from "#core/command/catalogue.ts";
import { acceptedCommand, type CommandResult } from "#core/command/command.ts";
import type { Mark } from "#core/command/marks.ts";
import { BUILTIN_CONTROLLER_ID } from "#core/device/device.ts";
import { deviceEvent } from "#core/events.ts";
import { CONTROLLER } from "../testing/api-bench.ts";
import {
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  createCommandsBench,
  SALE,
  UNKNOWN,
  waits,
} from "./testing/commands-bench.ts";

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

const DEVICES = "/api/v1/devices";
const SALE_AT = { host: "192.168.1.20", port: 9100 };

/** A sale of which nobody knows whether it was printed. @returns its id */
async function inDoubt(): Promise<string> {
  const id = await bench.queued();
  await bench.finish(id, UNKNOWN);
  return id;
}
/** The printer tells its numbers when its line comes up. */
async function identified(deviceId: string, numbers: object, orgId = bench.orgId): Promise<void> {
  await bench.writer.run((tx) => {
    const change = { ...numbers, lastSeenAt: bench.clock.now() };
    const device = bench.stores.devices.update(orgId, deviceId, change);
    if (device) tx.emit(deviceEvent("device.online", device, "c1"));
  });
  await bench.atRest();
}
async function registered(params: object, client = bench.owner): Promise<string> {
  const answer = await client.post(DEVICES, {
    ...{ name: "Till", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    connectionParams: params,
  });
  return answer.field("id");
}
const remove = (deviceId: string) => bench.owner.delete(`${DEVICES}/${deviceId}`);
const alertTypes = async (deviceId: string): Promise<string> =>
  (await bench.owner.get(`${DEVICES}/${deviceId}/alerts`)).text;

describe("on a held device", () => {
  const HELD = [
    ...[
      "print_receipt",
      "print_reversal_receipt",
      "void_receipt",
      "z_report",
      "cash_in",
      "cash_out",
    ],
    ...["non_fiscal_receipt", "x_report", "print_duplicate", "void_open_receipt", "raw_command"],
  ];
  test("waits what may print beside a receipt that stands open, or end it; the rest goes on", async () => {
    await inDoubt();
    for (const type of COMMAND_TYPES) {
      const { orgId, deviceId } = bench;
      const waiting = acceptedCommand({
        ...{ id: `cmd_${type}`, orgId, deviceId, type, payload: {}, source: "api" },
        ...{ createdAt: 0, expiresAt: bench.clock.now() + 1_000, simulated: false },
      });
      bench.stores.commands.insert(waiting);
    }
    const gone: string[] = [];
    for (let sent = bench.levers.sent.length; ; ) {
      bench.queue.ready(bench.deviceId);
      await bench.atRest();
      const order = bench.levers.sent.slice(sent).find(({ type }) => type === "command.dispatch");
      sent = bench.levers.sent.length;
      if (order?.type !== "command.dispatch") break;
      gone.push(order.command.type);
      await bench.finish(order.command.id, { success: true });
    }
    expect(COMMAND_TYPES.filter((type) => !gone.includes(type)).sort()).toEqual(
      COMMAND_TYPES.filter((type) => HELD.includes(type)).sort(),
    );
    expect(
      gone.filter((type) => ["document", "ledger"].includes(effectOf(type as "get_info"))),
    ).toEqual([]);
  });
});

describe("a hold belongs to the printer", () => {
  test("of which the record was deleted: the next one at its address is held", async () => {
    const id = await inDoubt();
    await remove(bench.deviceId);
    const again = await registered(SALE_AT);
    expect(await waits(bench, again)).toBe(true);
    expect(await alertTypes(again)).toContain("outcome_unknown");
    await bench.till.post(`${COMMANDS}/${id}/resolve`, { outcome: "printed" });
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({ type: "command.dispatch" });
  });

  test("while it runs: a document in the middle of which the record is deleted", async () => {
    const id = await bench.queued();
    await bench.marked(id, "committing");
    await remove(bench.deviceId);
    expect(await waits(bench, await registered(SALE_AT))).toBe(true);
  });

  test("and is known by its numbers, at whatever address", async () => {
    await identified(bench.deviceId, { serialNumber: "DT1", fiscalMemorySerialNumber: "F1" });
    await inDoubt();
    await remove(bench.deviceId);
    const moved = await registered({ host: "192.168.1.99", port: 9100 });
    // Nobody knows yet which printer that is.
    expect(await waits(bench, moved)).toBe(true);
    await identified(moved, { serialNumber: "DT1", fiscalMemorySerialNumber: "F1" });
    expect(await waits(bench, moved)).toBe(true);
    const other = await registered({ host: "192.168.1.98", port: 9100 });
    await identified(other, { serialNumber: "DT2", fiscalMemorySerialNumber: "F2" });
    expect(await waits(bench, other)).toBe(false);
  });

  test("and not to the one that took its place before anybody noticed", async () => {
    await identified(bench.deviceId, { serialNumber: "DT1", fiscalMemorySerialNumber: "F1" });
    const id = await bench.queued();
    await bench.marked(id, "baseline", { serialNumber: "DT1" });
    await identified(bench.deviceId, { serialNumber: "DT2", fiscalMemorySerialNumber: "F2" });
    await bench.finish(id, UNKNOWN);
    expect(await alertTypes(bench.deviceId)).toContain("outcome_unknown");
    const before = await bench.queued();
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: before } });
    // The first one is put back while the next sale is on its way.
    await identified(bench.deviceId, { serialNumber: "DT1", fiscalMemorySerialNumber: "F1" });
    expect(await bench.marked(before, "baseline")).toBe("FINAL");
    // Nothing of it was begun: it waits, as it would have if that had been known before.
    expect(bench.stores.commands.get(bench.orgId, before)).toMatchObject({
      ...{ status: "pending", mark: null },
    });
    expect(await waits(bench, bench.deviceId)).toBe(true);
    await bench.resolve(id, { outcome: "not_printed" });
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({
      ...{ type: "command.dispatch", command: { id: before }, epoch: 2 },
    });
  });

  test("and what waits so has no more time than any other", async () => {
    await identified(bench.deviceId, { serialNumber: "DT1", fiscalMemorySerialNumber: "F1" });
    const id = await bench.queued();
    await bench.marked(id, "baseline", { serialNumber: "DT1" });
    await identified(bench.deviceId, { serialNumber: "DT2", fiscalMemorySerialNumber: "F2" });
    await bench.finish(id, UNKNOWN);
    const before = await bench.queued();
    await identified(bench.deviceId, { serialNumber: "DT1", fiscalMemorySerialNumber: "F1" });
    expect(await bench.marked(before, "baseline")).toBe("FINAL");
    await bench.clock.advanceAsync(181_000);
    await bench.atRest();
    expect(bench.stores.commands.get(bench.orgId, before)).toMatchObject({
      status: "timeout",
      result: {
        errorCode: "E500",
        errorMessage: expect.stringContaining(`whether the document of ${id} was printed`),
        data: { outcome: "not_printed" },
      },
    });
  });

  test("another printer at its address is free once it has told its numbers", async () => {
    await identified(bench.deviceId, { serialNumber: "DT1", fiscalMemorySerialNumber: "F1" });
    await inDoubt();
    await remove(bench.deviceId);
    const next = await registered(SALE_AT);
    expect(await waits(bench, next)).toBe(true);
    await identified(next, { serialNumber: "DT2", fiscalMemorySerialNumber: "F2" });
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { type: "z_report" } });
    expect(await alertTypes(next)).not.toContain("outcome_unknown");
  });

  test("in another organization too", async () => {
    bench.levers.controllerId = BUILTIN_CONTROLLER_ID;
    await inDoubt();
    await remove(bench.deviceId);
    const { client } = await bench.otherShop();
    const theirs = await registered(SALE_AT, client);
    const before = bench.levers.sent.length;
    await client.post(COMMANDS, { deviceId: theirs, type: "z_report", payload: {} });
    await bench.atRest();
    expect(bench.levers.sent).toHaveLength(before);
    expect((await client.get(`${DEVICES}/${theirs}/alerts`)).text).not.toContain("outcome");
  });
});

describe("a sale that was called not printed", () => {
  const HOURS_MS = 3 * 3_600_000;
  const setBack = () => bench.clock.jumpTo(bench.clock.now() - HOURS_MS);
  /** How the next sale goes out. */
  const next = async () => {
    const id = await bench.queued();
    const order = bench.levers.sent.find((one) => "command" in one && one.command.id === id);
    await bench.finish(id, { success: true, fiscalId: id });
    return order;
  };
  const say = async (outcome: "printed" | "not_printed"): Promise<void> => {
    await bench.resolve(await inDoubt(), { outcome });
    await bench.atRest();
  };

  test("is not finished, where what was printed before ended by a clock that was ahead", async () => {
    await next();
    setBack();
    await say("not_printed");
    expect(await next()).toMatchObject({ neverFinish: true });
  });

  test("nor where the word before was said by a clock that was ahead", async () => {
    await say("printed");
    setBack();
    await say("not_printed");
    expect(await next()).toMatchObject({ neverFinish: true });
  });

  test("nothing stands open of it once another one was printed, whatever the clock says", async () => {
    await say("not_printed");
    setBack();
    await next();
    // Somebody speaks: what is known of printers is looked at anew.
    bench.queue.holdsChanged();
    expect(await next()).not.toMatchObject({ neverFinish: true });
  });
});

describe("the numbers of a printer that another shop's app claims", () => {
  const NUMBERS = { serialNumber: "DT1", fiscalMemorySerialNumber: "F1" };
  let other: Awaited<ReturnType<CommandsBench["otherShop"]>>;
  beforeEach(async () => {
    other = await bench.otherShop();
    await identified(bench.deviceId, NUMBERS);
    await identified(other.deviceId, NUMBERS, other.orgId);
  });
  const sell = async (client: CommandsBench["owner"], deviceId: string): Promise<string> => {
    const id = commandIdOf(
      await client.post(COMMANDS, { deviceId, type: "print_receipt", payload: SALE }),
    );
    await bench.atRest();
    return id;
  };
  /** Their app tells how a sale of theirs ended. */
  const told = async (result: CommandResult, mark: Mark = "committing"): Promise<string> => {
    const { client, deviceId, orgId } = other;
    const commandId = await sell(client, deviceId);
    const from = { orgId, controllerId: CONTROLLER, reportsMarks: true };
    await bench.queue.report(from, { ...MARK, deviceId, commandId, mark });
    await bench.queue.report(from, { type: "command.result", deviceId, commandId, result });
    await bench.atRest();
    return commandId;
  };
  const MARK = { type: "command.mark", baseline: {} } as const;
  /** A person says of a sale here that it was not printed. */
  const disowned = async (): Promise<string> => {
    bench.levers.controllerId = BUILTIN_CONTROLLER_ID;
    const id = await inDoubt();
    expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
    bench.levers.controllerId = CONTROLLER;
    return id;
  };
  const orderOf = (id: string) =>
    bench.levers.sent.find((one) => "command" in one && one.command.id === id);

  test("hold nothing here by a document of theirs", async () => {
    await told(UNKNOWN);
    expect(await waits(bench, bench.deviceId)).toBe(false);
  });

  test("ask nobody here anew", async () => {
    const id = await disowned();
    await told({ ...UNKNOWN, errorCode: "E301", data: { outcome: "not_printed" } });
    expect((await bench.till.get(`${COMMANDS}/${id}`)).body).toMatchObject({
      command: { resolution: { outcome: "not_printed" } },
    });
    expect(await alertTypes(bench.deviceId)).not.toContain("outcome_unknown");
  });

  test("let nothing be finished here, as if it were theirs that was printed", async () => {
    await disowned();
    await told({ success: true, fiscalId: "9" });
    // Somebody speaks: what is known of printers is looked at anew.
    await other.client.post(`${COMMANDS}/${await told(UNKNOWN)}/resolve`, { outcome: "printed" });
    await bench.atRest();
    const id = await sell(bench.till, bench.deviceId);
    expect(orderOf(id)).toMatchObject({ neverFinish: true });
  });

  test("keep nothing open here, as if it were theirs that was not printed", async () => {
    const theirs = await told(UNKNOWN);
    await other.client.post(`${COMMANDS}/${theirs}/resolve`, { outcome: "not_printed" });
    await bench.atRest();
    const id = await sell(bench.till, bench.deviceId);
    expect(orderOf(id)).not.toMatchObject({ neverFinish: true });
  });
});

describe("in the week behind a state that was put back", () => {
  const forget = () => bench.writer.run(() => bench.stores.appliance.forget("restored"));
  const FIRST = { serialNumber: "DT1", fiscalMemorySerialNumber: "F1" };
  const SECOND = { serialNumber: "DT2", fiscalMemorySerialNumber: "F2" };

  test("another printer waits that is registered where one of before was not asked yet", async () => {
    await identified(bench.deviceId, FIRST);
    const { orgId, deviceId } = bench;
    const row = { ...FIRST, deviceId, orgId, address: "tcp 192.168.1.20 9100" };
    await forget();
    await bench.writer.run(() =>
      bench.stores.restoredPrinters.raise({ ...row, raisedAt: bench.clock.now(), seq: 0 }),
    );
    await remove(deviceId);
    const next = await registered(SALE_AT);
    await identified(next, SECOND);
    expect(await waits(bench, next)).toBe(true);
  });

  test.each([true, false])(
    "another printer waits that a record is led to, asked itself already: %p",
    async (isAsked) => {
      await identified(bench.deviceId, FIRST);
      const { orgId, deviceId } = bench;
      const row = { ...FIRST, deviceId, orgId, address: "tcp 192.168.1.20 9100" };
      await forget();
      await bench.writer.run(() => {
        if (isAsked) return;
        bench.stores.restoredPrinters.raise({ ...row, raisedAt: bench.clock.now(), seq: 0 });
      });
      const elsewhere = { connectionParams: { host: "192.168.1.99", port: 9100 } };
      expect((await bench.owner.patch(`${DEVICES}/${deviceId}`, elsewhere)).status).toBe(200);
      await identified(deviceId, SECOND);
      expect(await waits(bench, deviceId)).toBe(true);
    },
  );
});
