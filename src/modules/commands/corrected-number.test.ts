/** The number of a receipt that a person said wrongly, as mistyped, and says anew. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  createCommandsBench,
  SALE,
  UNKNOWN,
} from "./testing/commands-bench.ts";

const RECEIPTS = "/api/v1/receipts";
const MINUTE_MS = 60_000;

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
  bench.stores.devices.update(bench.orgId, bench.deviceId, {
    ...{ serialNumber: "DT000600", fiscalMemorySerialNumber: "02000600" },
  });
});
afterEach(() => bench.close());

const say = (id: string, fiscalId?: string) =>
  bench.resolve(id, { outcome: "printed", ...(fiscalId === undefined ? {} : { fiscalId }) });
const shown = async (id: string) => (await bench.till.get(`${COMMANDS}/${id}`)).body;
const receipts = async () => (await bench.owner.get(RECEIPTS)).body;
const receiptId = (id: string) => bench.stores.receipts.ofCommand(id)?.id ?? "none";
const alerts = async () => (await bench.owner.get(`/api/v1/devices/${bench.deviceId}/alerts`)).text;

/** A sale of which nobody could tell, and a person says this. */
async function said(fiscalId?: string): Promise<string> {
  const id = await bench.queued();
  await bench.marked(id, "baseline");
  await bench.marked(id, "committing");
  await bench.finish(id, UNKNOWN);
  expect((await say(id, fiscalId)).status).toBe(200);
  await bench.atRest();
  return id;
}

/** The same while the printer is silent, so that it is still to be asked. */
async function saidUnasked(fiscalId?: string): Promise<string> {
  const id = await bench.queued();
  await bench.marked(id, "baseline");
  await bench.marked(id, "committing");
  bench.queue.lineLost(bench.deviceId);
  await bench.clock.advanceAsync(MINUTE_MS);
  expect((await say(id, fiscalId)).body).toMatchObject({ command: { status: "completed" } });
  await bench.atRest();
  return id;
}

/** Takes back a sale of that number. */
const reversal = (originalReceiptNumber: string) => ({
  ...SALE,
  ...{ originalReceiptNumber, originalReceiptDateTime: new Date(bench.clock.now()).toISOString() },
  ...{ uniqueSaleNumber: "DT000600-0001-0000001", fiscalMemorySerialNumber: "02000600" },
  reason: "refund",
});

describe("a number that a person said", () => {
  test.each([["27"], [undefined]])("as %p is another one once it is said anew", async (first) => {
    const id = await said(first);
    const before = await shown(id);
    await bench.clock.advanceAsync(1_000);
    const told = bench.events.length;
    const answer = await say(id, "0000028");
    expect(answer.status).toBe(200);
    const resolution = { outcome: "printed", fiscalId: "0000028" };
    expect(answer.body).toMatchObject({ command: { status: "failed", resolution } });
    const { command } = before as { command: object };
    const at = new Date(bench.clock.now()).toISOString();
    expect(await shown(id)).toMatchObject({
      command: { ...command, resolution: { ...resolution, resolvedAt: at } },
    });
    const numbers = { fiscalId: "0000028", receiptNumber: "28", zReportNumber: null };
    expect(await receipts()).toMatchObject({ receipts: [{ commandId: id, ...numbers }] });
    expect(bench.events.slice(told)).toMatchObject([{ type: "command.updated", command: { id } }]);
    const entries = bench.stores.audit.page(bench.orgId, {
      ...{ filter: { action: "command.resolve" }, limit: 9, order: "desc" },
    });
    expect(entries.map(({ details }) => details)).toEqual([
      { outcome: "printed", fiscalId: "0000028", instead: first ?? null },
      { outcome: "printed", fiscalId: first ?? null },
    ]);
  });

  test("takes the place of the first one: that is free, and this one names the sale", async () => {
    const id = await said("27");
    await say(id, "28");
    expect(await said("27")).not.toBe(id);
    const storno = commandIdOf(await bench.submit("print_reversal_receipt", reversal("28")));
    const again = await bench.submit("print_reversal_receipt", reversal("28"));
    expect([storno.length > 0, again.refusal]).toEqual([true, "422 UNPROCESSABLE_ENTITY"]);
  });

  test("is held against what took the sale back before by the right one", async () => {
    const id = await said("27");
    await bench.clock.advanceAsync(1_000);
    const early = commandIdOf(await bench.submit("print_reversal_receipt", reversal("28")));
    await bench.atRest();
    await bench.finish(early, { success: true, fiscalId: "900" });
    expect((await say(id, "28")).status).toBe(200);
    const path = `${RECEIPTS}/${receiptId(id)}/storno`;
    const storno = await bench.owner.post(path, { reason: "refund" });
    expect([storno.refusal, storno.text]).toEqual([
      "422 UNPROCESSABLE_ENTITY",
      expect.stringContaining("left"),
    ]);
  });

  test.each(["27", "0000027", undefined])("is not said anew by %p", async (number) => {
    const id = await said("27");
    const again = await say(id, number);
    expect([again.refusal, again.text]).toEqual([
      "409 CONFLICT",
      expect.stringContaining("settled so already"),
    ]);
  });

  test("is no word of what was called not printed, and does not become that", async () => {
    const id = await said("27");
    expect((await bench.resolve(id, { outcome: "not_printed" })).refusal).toBe("409 CONFLICT");
    expect(await receipts()).toMatchObject({ receipts: [{ fiscalId: "27" }] });
  });

  test("is none of another receipt", async () => {
    await said("26");
    const id = await said("27");
    expect((await say(id, "26")).text).toContain("Number 26 is that of another receipt");
    expect(await shown(id)).toMatchObject({ command: { resolution: { fiscalId: "27" } } });
  });

  test.each([["27"], ["29"], [undefined]])(
    "as %p stays once the printer has proven 29",
    async (first) => {
      const id = await said(first);
      await bench.finish(id, { success: true, fiscalId: "29" });
      const answer = await say(id, "28");
      expect([answer.refusal, answer.text]).toEqual([
        "409 CONFLICT",
        expect.stringContaining("The printer has proven number 29"),
      ]);
    },
  );

  test("stays while the sale is being taken back, and behind that", async () => {
    const id = await said("27");
    const path = `${RECEIPTS}/${receiptId(id)}/storno`;
    const body = { reason: "refund", items: [{ ...SALE.items[0], quantity: 1 }] };
    const storno = commandIdOf(await bench.owner.post(path, body));
    const refusal = ["409 CONFLICT", expect.stringContaining("taken back under number 27")];
    const early = await say(id, "28");
    expect([early.refusal, early.text]).toEqual(refusal);
    await bench.atRest();
    await bench.finish(storno, { ...UNKNOWN, data: { outcome: "not_printed" } });
    expect((await say(id, "28")).status).toBe(200);
  });
});

describe("a number that a person said while the printer was silent", () => {
  test("is another one for what the printer tells then, and the command stays as it ended", async () => {
    const id = await saidUnasked("27");
    expect((await say(id, "28")).status).toBe(200);
    await bench.finish(id, { success: true, fiscalId: "28" });
    expect(await alerts()).not.toContain("late_result");
    expect(await shown(id)).toMatchObject({
      command: { status: "completed", result: { fiscalId: "27" }, resolution: { fiscalId: "28" } },
    });
    expect((await say(id, "30")).text).toContain("The printer has proven number 28");
  });

  test("is contradicted by the first one", async () => {
    const id = await saidUnasked("27");
    await say(id, "28");
    await bench.finish(id, { success: true, fiscalId: "27" });
    expect(await alerts()).toContain("late_result");
  });

  test("is not told where none was, before the printer was asked", async () => {
    const id = await saidUnasked();
    const early = await say(id, "28");
    expect([early.refusal, early.text]).toEqual([
      "409 CONFLICT",
      expect.stringContaining("still to be asked"),
    ]);
    await bench.finish(id, UNKNOWN);
    expect((await say(id, "28")).status).toBe(200);
  });
});
