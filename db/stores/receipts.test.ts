import { afterEach, beforeEach, expect, test } from "bun:test";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { type Database, openDatabase } from "../connection.ts";
import { migrate } from "../migrate.ts";
import { createReceiptStore, type ReceiptStore } from "./receipts.ts";

let database: Database;
let receipts: ReceiptStore;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 1);
  receipts = createReceiptStore(database);
});
afterEach(() => database.close());

function store(id: string, fiscalId: string, change: Partial<StoredReceipt> = {}): void {
  receipts.insert({
    ...{ id, fiscalId, orgId: "org_1", deviceId: "dev_1", type: "sale", source: "command" },
    ...{ locationId: null, commandId: null, apiKeyId: null, receiptNumber: null },
    ...{ uniqueSaleNumber: null, fiscalMemorySerialNumber: null, zReportNumber: null },
    ...{ currency: "BGN", items: [], subtotalModifiers: [], payments: [], totalMinor: 0 },
    ...{ issuedAt: 1, createdAt: 1, customerCif: null, originalReceiptId: null, simulated: false },
    printerSerialNumber: null,
    numberBy: "printer",
    ...change,
  });
}
const PRINTER = {
  ...{ orgId: "org_1", records: ["dev_1"], simulated: false },
  ...{ fiscalMemorySerialNumber: null, serialNumber: null },
};
const find = (id: string) => receipts.findByIdOrFiscalId(PRINTER, id)?.id;

test("a receipt is found by its own id before any that has it as fiscal id", () => {
  store("7", "1");
  store("rct_2", "7", { createdAt: 2 });
  expect([find("7"), find("1"), find("rct_2"), find("8")]).toEqual(["7", "7", "rct_2", undefined]);
});

test("of receipts with one fiscal id the newest is found, of one instant the last", () => {
  store("rct_1", "7", { createdAt: 5 });
  store("rct_2", "7", { createdAt: 9 });
  store("rct_3", "7", { createdAt: 9 });
  store("rct_4", "7", { createdAt: 1 });
  expect(find("7")).toBe("rct_3");
});

test("a receipt of another device or another shop is not found", () => {
  store("rct_1", "7", { deviceId: "dev_2" });
  store("rct_2", "7", { orgId: "org_2" });
  expect([find("rct_1"), find("rct_2"), find("7")]).toEqual([undefined, undefined, undefined]);
});

test("of a printer those made elsewhere are found by its records and by its number, each once", () => {
  const told = { ...PRINTER, records: ["dev_1", "dev_2"], fiscalMemorySerialNumber: "0050001" };
  store("rct_0", "1");
  store("rct_1", "2", { deviceId: "dev_2" });
  store("rct_2", "3", { deviceId: "dev_3", fiscalMemorySerialNumber: "50001" });
  store("rct_3", "4", { fiscalMemorySerialNumber: "0050001" });
  store("rct_4", "5", { fiscalMemorySerialNumber: "0050002" });
  store("rct_5", "6", { deviceId: "dev_3" });
  store("rct_6", "7", { orgId: "org_2" });
  store("rct_7", "8", { commandId: "cmd_1" });
  store("rct_8", "9", { simulated: true });
  expect(receipts.listElsewhere(told, 1).map(({ id }) => id)).toEqual(["rct_1", "rct_2", "rct_3"]);
});
