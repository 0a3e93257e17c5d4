/** The stored receipts of a printer that more than one record leads to, or led. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import {
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  createCommandsBench,
  SALE,
  UNKNOWN,
} from "./testing/commands-bench.ts";

const RECEIPTS = "/api/v1/receipts";
const SERIAL = "DT000001";
const MEMORY = "02000001";
const Receipts = Type.Object({
  receipts: Type.Array(
    Type.Object({
      id: Type.String(),
      fiscalMemorySerialNumber: Type.Union([Type.String(), Type.Null()]),
      originalReceiptId: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

interface Numbers {
  readonly serialNumber: string;
  readonly fiscalMemorySerialNumber: string | null;
}

/** The printer of a record has told its numbers. */
const tell = (deviceId: string, numbers: Numbers) =>
  bench.writer.run(() => bench.stores.devices.update(bench.orgId, deviceId, numbers));

/** A record of the same printer at another address. */
async function byCable(numbers: Numbers): Promise<string> {
  const answer = await bench.owner.post("/api/v1/devices", {
    ...{ name: "By cable", driver: "vendorA.isl", transport: "serial", locationId: "shop" },
    connectionParams: { address: "/dev/ttyS9" },
  });
  const id = answer.field("id");
  await tell(id, numbers);
  return id;
}

/** The record goes, and the printer is registered anew. */
async function registeredAnew(numbers: Numbers): Promise<string> {
  expect((await bench.owner.delete(`/api/v1/devices/${bench.deviceId}`)).status).toBe(204);
  const id = await bench.addDevice("Till again");
  await tell(id, numbers);
  return id;
}

/** A sale that the printer has told of. */
async function sold(fiscalId: string, fiscalMemorySerialNumber: string | null): Promise<void> {
  const data = { receiptNumber: fiscalId, fiscalMemorySerialNumber };
  await bench.finish(await bench.queued(), { success: true, data, fiscalId });
}

async function inDoubt(): Promise<string> {
  const id = await bench.queued();
  await bench.marked(id, "baseline", { serialNumber: SERIAL });
  await bench.marked(id, "committing");
  await bench.finish(id, UNKNOWN);
  return id;
}

/** All of a sale is reversed by the numbers on its paper. */
const reverse = (deviceId: string, fiscalMemorySerialNumber: string, number = "7") =>
  bench.till.post(COMMANDS, {
    ...{ deviceId, type: "print_reversal_receipt" },
    payload: {
      ...{ uniqueSaleNumber: "", originalReceiptNumber: number, fiscalMemorySerialNumber },
      ...{ originalReceiptDateTime: "2026-01-15T10:00:00Z", reason: "refund", items: SALE.items },
    },
  });

const receipts = async () => (await bench.owner.get(RECEIPTS)).as(Receipts).receipts;

describe.each([
  ["told by its fiscal memory", { serialNumber: SERIAL, fiscalMemorySerialNumber: MEMORY }, MEMORY],
  ["that tells no fiscal memory", { serialNumber: SERIAL, fiscalMemorySerialNumber: null }, SERIAL],
] as const)("at a printer %s", (_, numbers, named) => {
  beforeEach(() => tell(bench.deviceId, numbers));

  test("a sale is taken back once over all its records", async () => {
    await sold("7", numbers.fiscalMemorySerialNumber);
    const cable = await byCable(numbers);
    expect((await reverse(cable, named)).status).toBe(202);
    expect((await reverse(bench.deviceId, named)).status).toBe(422);
    expect((await reverse(cable, named)).status).toBe(422);
  });

  test("a sale of a record that was removed is taken back once by the next one", async () => {
    await sold("7", numbers.fiscalMemorySerialNumber);
    const next = await registeredAnew(numbers);
    expect((await reverse(next, named)).status).toBe(202);
    expect((await reverse(next, named)).status).toBe(422);
  });

  test("a sale that is settled after its record was removed is taken back once", async () => {
    const id = await inDoubt();
    const next = await registeredAnew(numbers);
    expect((await bench.resolve(id, { outcome: "printed", fiscalId: "7" })).status).toBe(200);
    expect(await receipts()).toMatchObject([
      { fiscalMemorySerialNumber: numbers.fiscalMemorySerialNumber },
    ]);
    expect((await reverse(next, named)).status).toBe(202);
    expect((await reverse(next, named)).status).toBe(422);
  });

  test("a number that another record's receipt has is not said of a sale", async () => {
    await sold("6", numbers.fiscalMemorySerialNumber);
    await sold("7", numbers.fiscalMemorySerialNumber);
    const cable = await byCable(numbers);
    const id = await inDoubtAt(cable);
    for (const fiscalId of ["7", "0000007"]) {
      const answer = await bench.resolve(id, { outcome: "printed", fiscalId });
      expect(answer.refusal).toBe("409 CONFLICT");
    }
    expect((await bench.resolve(id, { outcome: "printed", fiscalId: "8" })).status).toBe(200);
  });

  test("a number that the receipt of a record that is gone has is not said of a sale", async () => {
    await sold("7", numbers.fiscalMemorySerialNumber);
    const id = await inDoubtAt(await registeredAnew(numbers));
    const answer = await bench.resolve(id, { outcome: "printed", fiscalId: "7" });
    expect(answer.refusal).toBe("409 CONFLICT");
  });

  test("a sale whose number the printer gave to another record's receipt is not reversed by it", async () => {
    const id = await inDoubt();
    const cable = await byCable(numbers);
    expect((await bench.resolve(id, { outcome: "printed", fiscalId: "7" })).status).toBe(200);
    const [said] = await receipts();
    await bench.clock.advanceAsync(1_000);
    await printedAt(cable, "7", numbers.fiscalMemorySerialNumber);
    const answer = await bench.owner.post(`${RECEIPTS}/${said?.id}/storno`, { reason: "refund" });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("A person said that the sale has number 7");
  });

  test("a sale is voided over another record by its id or its number, once", async () => {
    await sold("7", numbers.fiscalMemorySerialNumber);
    await sold("8", numbers.fiscalMemorySerialNumber);
    const cable = await byCable(numbers);
    const [newest] = await receipts();
    const voided = async (receiptId: string | undefined) => {
      const command = { deviceId: cable, type: "void_receipt", payload: { receiptId } };
      const answer = await bench.till.post(COMMANDS, command);
      await bench.atRest();
      return answer;
    };
    for (const receiptId of [newest?.id, "7"]) {
      const id = commandIdOf(await voided(receiptId));
      expect(bench.levers.sent.at(-1)).toMatchObject({
        ...{ type: "command.dispatch", command: { id, type: "void_receipt" } },
        device: { id: cable },
      });
      await bench.reported({
        ...{ type: "command.mark", deviceId: cable, commandId: id, mark: "committing" },
        baseline: {},
      });
      await bench.reported({
        ...{ type: "command.result", deviceId: cable, commandId: id },
        result: { success: true, data: {}, fiscalId: `2${receiptId?.length}` },
      });
      await bench.atRest();
      expect((await voided(receiptId)).status).toBe(422);
    }
  });

  test("a number is held against what its printer told over another record", async () => {
    const id = await inDoubt();
    const cable = await byCable(numbers);
    await bench.resolve(id, { outcome: "not_printed" });
    await bench.clock.advanceAsync(1_000);
    const second = await inDoubtAt(cable);
    await bench.clock.advanceAsync(1_000);
    const asked = await bench.queued("get_last_receipt_info", {});
    const { fiscalMemorySerialNumber } = numbers;
    const lastReceipt = {
      ...{ receiptNumber: "8", receiptDateTime: null, receiptAmount: null },
      fiscalMemorySerialNumber,
    };
    await bench.finish(asked, { success: true, data: { lastReceipt } });
    const answer = await bench.resolve(second, { outcome: "printed", fiscalId: "9" });
    expect(answer.body).toMatchObject({ error: { details: { reached: 8 } } });
    expect((await bench.resolve(second, { outcome: "printed", fiscalId: "8" })).status).toBe(200);
  });

  test("a receipt that stands under one record is not stored under another", async () => {
    await sold("7", numbers.fiscalMemorySerialNumber);
    const made = { ...SALE, type: "sale", fiscalId: "0000007" };
    const cable = await byCable(numbers);
    expect((await bench.owner.post(RECEIPTS, { ...made, deviceId: cable })).status).toBe(409);
  });
});

test("a printer that was put in another one's place has receipts of its own", async () => {
  const first = { serialNumber: SERIAL, fiscalMemorySerialNumber: null };
  await tell(bench.deviceId, first);
  await sold("7", null);
  await tell(bench.deviceId, { serialNumber: "DT000002", fiscalMemorySerialNumber: null });
  await sold("7", null);
  expect((await reverse(bench.deviceId, "DT000002")).status).toBe(202);
  expect((await reverse(bench.deviceId, "DT000002")).status).toBe(422);
  // What the first one sold is left whole.
  const cable = await byCable(first);
  expect((await reverse(cable, SERIAL)).status).toBe(202);
  expect((await reverse(cable, SERIAL)).status).toBe(422);
});

test("what older versions stored without the printer's number is that of its record", async () => {
  await tell(bench.deviceId, { serialNumber: SERIAL, fiscalMemorySerialNumber: null });
  await sold("7", null);
  bench.database.sqlite.exec("UPDATE receipts SET printer_serial_number = NULL");
  expect((await reverse(bench.deviceId, SERIAL)).status).toBe(202);
  expect((await reverse(bench.deviceId, SERIAL)).status).toBe(422);
});

/** A sale in doubt over another record than the bench's. */
async function inDoubtAt(deviceId: string): Promise<string> {
  const id = await sentTo(deviceId);
  for (const mark of ["baseline", "committing"] as const) {
    await bench.reported({
      ...{ type: "command.mark", deviceId, commandId: id, mark },
      baseline: { serialNumber: SERIAL },
    });
  }
  await bench.reported({ type: "command.result", deviceId, commandId: id, result: UNKNOWN });
  await bench.atRest();
  return id;
}

async function printedAt(
  deviceId: string,
  fiscalId: string,
  fiscalMemorySerialNumber: string | null,
): Promise<void> {
  const commandId = await sentTo(deviceId);
  const baseline = { serialNumber: SERIAL };
  await bench.reported({
    ...{ type: "command.mark", deviceId, commandId, mark: "committing", baseline },
  });
  const data = { receiptNumber: fiscalId, fiscalMemorySerialNumber };
  const result = { success: true, data, fiscalId } as const;
  await bench.reported({ type: "command.result", deviceId, commandId, result });
  await bench.atRest();
}

async function sentTo(deviceId: string): Promise<string> {
  const body = { deviceId, type: "print_receipt", payload: SALE };
  const id = commandIdOf(await bench.till.post(COMMANDS, body));
  await bench.atRest();
  return id;
}
