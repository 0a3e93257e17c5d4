/** What is settled later is booked as it was when it was sent: in which money, and in which shop. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type CommandsBench, createCommandsBench, UNKNOWN } from "./testing/commands-bench.ts";

const RECEIPTS = "/api/v1/receipts";
const TextOrNull = Type.Union([Type.String(), Type.Null()]);
const Booked = Type.Object({
  id: Type.String(),
  currency: Type.Optional(Type.String()),
  locationId: TextOrNull,
  fiscalMemorySerialNumber: TextOrNull,
});
const PRINTED = { outcome: "printed", fiscalId: "7" } as const;

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

const setCurrency = async (currency: string) => {
  bench.clock.advance(1_000);
  expect((await bench.owner.patch("/api/v1/org", { currency })).status).toBe(200);
  bench.clock.advance(1_000);
};

async function receipts() {
  const list = Type.Object({ receipts: Type.Array(Booked) });
  return (await bench.owner.get(`${RECEIPTS}?sortOrder=asc`)).as(list).receipts;
}

async function currencyOf(commandId: string): Promise<string | null> {
  const shape = Type.Object({ command: Type.Object({ currency: TextOrNull }) });
  return (await bench.owner.get(`/api/v1/commands/${commandId}`)).as(shape).command.currency;
}

async function inDoubt(type: "print_receipt" | "z_report" = "print_receipt"): Promise<string> {
  const id = await (type === "z_report" ? bench.queued(type, {}) : bench.queued());
  await bench.marked(id, "baseline", {});
  await bench.marked(id, "committing");
  await bench.finish(id, UNKNOWN);
  return id;
}

test("a sale that is settled once the shop sells in another currency is in that of its time", async () => {
  await setCurrency("BGN");
  const id = await inDoubt();
  await setCurrency("EUR");
  expect(await currencyOf(id)).toBe("BGN");
  expect((await bench.resolve(id, PRINTED)).status).toBe(200);
  expect(await receipts()).toMatchObject([{ currency: "BGN" }]);
  expect(await currencyOf(id)).toBe("BGN");
});

test("a sale that is printed once the shop sells in another currency is in that of its time", async () => {
  const id = await bench.queued();
  await setCurrency("EUR");
  await bench.finish(id, { success: true, data: { receiptNumber: "7" }, fiscalId: "7" });
  expect(await receipts()).toMatchObject([{ currency: "RON" }]);
});

test("what an older version accepted is in the currency that the shop had then", async () => {
  await setCurrency("BGN");
  const id = await inDoubt();
  bench.database.sqlite.exec("UPDATE commands SET currency = NULL");
  bench.stores.commands.shiftExpiry(0);
  await setCurrency("EUR");
  expect((await bench.resolve(id, PRINTED)).status).toBe(200);
  expect(await receipts()).toMatchObject([{ currency: "BGN" }]);
});

test("a storno that is settled in another currency counts in that of its sale", async () => {
  const sale = await bench.queued();
  const data = { receiptNumber: "7", fiscalMemorySerialNumber: "02000001" };
  await bench.finish(sale, { success: true, data, fiscalId: "7" });
  const [sold] = await receipts();
  const storno = () => bench.owner.post(`${RECEIPTS}/${sold?.id}/storno`, { reason: "refund" });
  expect((await storno()).status).toBe(202);
  await bench.atRest();
  const [last] = bench.stores.commands.listUnfinished();
  const id = last?.id ?? "";
  await bench.marked(id, "baseline", {});
  await bench.marked(id, "committing");
  await bench.finish(id, UNKNOWN);
  await setCurrency("EUR");
  expect((await bench.resolve(id, { ...PRINTED, fiscalId: "8" })).status).toBe(200);
  expect(await receipts()).toMatchObject([{ currency: "RON" }, { currency: "RON" }]);
  await setCurrency("RON");
  expect((await storno()).status).toBe(422);
});

test("a sale stays in the shop in which it was sent, though its printer moves", async () => {
  const id = await inDoubt();
  await move("other shop");
  expect((await bench.resolve(id, PRINTED)).status).toBe(200);
  expect(await receipts()).toMatchObject([{ locationId: "shop" }]);
});

test("a report stays in the shop in which it was sent", async () => {
  const id = await inDoubt("z_report");
  await move("other shop");
  expect((await bench.resolve(id, { outcome: "printed", fiscalId: "3" })).status).toBe(200);
  expect(await reports()).toMatchObject([{ locationId: "shop" }]);
});

test("a report that is settled after its record was removed keeps shop and printer", async () => {
  await bench.writer.run(() =>
    bench.stores.devices.update(bench.orgId, bench.deviceId, {
      fiscalMemorySerialNumber: "02000001",
    }),
  );
  const id = await inDoubt("z_report");
  expect((await bench.owner.delete(`/api/v1/devices/${bench.deviceId}`)).status).toBe(204);
  expect((await bench.resolve(id, { outcome: "printed", fiscalId: "3" })).status).toBe(200);
  expect(await reports()).toMatchObject([
    { locationId: "shop", fiscalMemorySerialNumber: "02000001" },
  ]);
});

test("what an older version accepted is in the shop in which its printer stands", async () => {
  const id = await inDoubt();
  bench.database.sqlite.exec("UPDATE commands SET location_id = NULL");
  bench.stores.commands.shiftExpiry(0);
  expect((await bench.resolve(id, PRINTED)).status).toBe(200);
  expect(await receipts()).toMatchObject([{ locationId: "shop" }]);
});

async function move(locationId: string): Promise<void> {
  const path = `/api/v1/devices/${bench.deviceId}`;
  expect((await bench.owner.patch(path, { locationId })).status).toBe(200);
}

async function reports() {
  const list = Type.Object({ reports: Type.Array(Booked) });
  return (await bench.owner.get("/api/v1/reports")).as(list).reports;
}
