import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { toReceiptItems } from "#core/command/document-fields.ts";
import { RECEIPT_TYPES } from "#core/receipt-record.ts";
import { type Database, openDatabase } from "../connection.ts";
import { migrate } from "../migrate.ts";
import type { ListSizes } from "./list.ts";
import {
  createReceiptLister,
  type ListedReceipt,
  type ReceiptFilter,
  type ReceiptLister,
  type ReceiptPage,
} from "./receipt-list.ts";
import { createReceiptStore, type ReceiptStore } from "./receipts.ts";

/** So many that every filter finds some, with ties in all that they are in order of. */
const COUNT = 500;
const ORG = "org_1";
const TYPES = ["sale", "sale", "sale", "refund", "storno"] as const;
const SIMULATED = "dev_2";
const NAMES = ["Bread", "Brown bread", "Milk"] as const;

let database: Database;
let receipts: ReceiptStore;
let everything: readonly ListedReceipt[];

beforeAll(() => {
  database = openDatabase(":memory:");
  migrate(database, 1);
  receipts = createReceiptStore(database);
  for (let index = 1; index <= COUNT; index++) {
    receipts.insert({
      ...{ id: `rct_${index}`, orgId: index % 11 === 0 ? "org_2" : ORG, source: "command" },
      ...{ deviceId: `dev_${index % 3}`, type: TYPES[(index * 7) % 5] ?? "sale" },
      ...{ locationId: null, commandId: null, apiKeyId: null, receiptNumber: null },
      ...{ fiscalId: String(index % 97), uniqueSaleNumber: null, zReportNumber: null },
      ...{ fiscalMemorySerialNumber: null, currency: "BGN", subtotalModifiers: [], payments: [] },
      ...{ customerCif: index % 10 === 0 ? "RO10" : null, originalReceiptId: null },
      printerSerialNumber: null,
      numberBy: "printer",
      simulated: `dev_${index % 3}` === SIMULATED,
      items: toReceiptItems([
        { name: NAMES[index % 3] ?? "", quantity: 1, price: 1, vatGroup: "VAT1" },
      ]),
      totalMinor: (index * 37) % 50,
      createdAt: 1_000 + Math.floor(index / 3) * 10,
      issuedAt: 1_000 + ((index * 53) % 300) * 10,
    });
  }
  everything = Array.from({ length: COUNT }, (_, index) => `rct_${index + 1}`).flatMap(
    (id) => receipts.get(ORG, id) ?? [],
  );
});
afterAll(() => database.close());

function mentions(receipt: ListedReceipt, q: string): boolean {
  if (receipt.id === q) return true;
  const texts = [receipt.fiscalId, receipt.customerCif, receipt.items[0]?.name];
  if ((receipt.totalMinor / 100).toFixed(2) === q) return true;
  return texts.some((text) => text?.toLowerCase().includes(q.toLowerCase()));
}

/** What a filter lets through, put together once: it is asked for in each order and behind each cursor. */
const letThrough = new WeakMap<ReceiptFilter, readonly ListedReceipt[]>();

function allOf(filter: ReceiptFilter): readonly ListedReceipt[] {
  const { deviceId, type, fiscalId, q, from = -Infinity, to = Infinity } = filter;
  const { simulated = false } = filter;
  const known = letThrough.get(filter);
  if (known !== undefined) return known;
  const found = everything
    .filter((one) => (deviceId ? one.deviceId === deviceId : one.simulated === simulated))
    .filter((one) => type === undefined || one.type === type)
    .filter((one) => fiscalId === undefined || one.fiscalId === fiscalId)
    .filter((one) => q === undefined || mentions(one, q))
    .filter((one) => one.issuedAt >= from && one.issuedAt < to);
  letThrough.set(filter, found);
  return found;
}

/** What the list promises, in plain words. */
function expected(filter: ReceiptFilter, page: ReceiptPage): string[] {
  const sign = page.order === "asc" ? 1 : -1;
  const compare = (a: ListedReceipt, b: ListedReceipt) =>
    sign * (a[page.sortBy] - b[page.sortBy] || a.seq - b.seq);
  const { startAfter } = page;
  return allOf(filter)
    .toSorted(compare)
    .filter((one) => startAfter === undefined || compare(one, startAfter) > 0)
    .slice(0, page.limit)
    .map((one) => one.id);
}

const ORDERS = (["createdAt", "issuedAt", "totalMinor"] as const).flatMap((sortBy) =>
  (["asc", "desc"] as const).map((order) => ({ sortBy, order })),
);
const RANGES = [{}, { from: 2_000 }, { to: 2_000 }, { from: 1_200, to: 1_300 }, { from: 0, to: 0 }];
const DEVICES = [{}, { simulated: true }, { deviceId: "dev_1" }, { deviceId: SIMULATED }];
const FILTERS: readonly ReceiptFilter[] = DEVICES.flatMap((device) =>
  [undefined, ...RECEIPT_TYPES].flatMap((type) =>
    [undefined, "7"].flatMap((fiscalId) =>
      [undefined, "BREAD", "ro10", "0.07"].flatMap((q) =>
        RANGES.map((range) => ({ ...device, type, fiscalId, q, ...range })),
      ),
    ),
  ),
);
/** As the store has them, and so small that most of what is asked has to be searched in parts. */
const SIZES: readonly ListSizes[] = [
  { few: 1_000, firstPart: 500, largestPart: 2_000 },
  { few: 20, firstPart: 5, largestPart: 40 },
];
const CASES = ORDERS.flatMap((order) => SIZES.map((sizes) => ({ order, sizes, few: sizes.few })));

describe.each(CASES)("$order.sortBy $order.order, sorting up to $few", ({ order, sizes }) => {
  let list: ReceiptLister;
  beforeAll(() => {
    list = createReceiptLister(database.orm, sizes);
  });

  test("shows for every filter what it should, from its beginning and after any receipt", () => {
    const cursors = [undefined, ...everything.filter((_, index) => index % 211 === 5)];
    for (const filter of FILTERS) {
      for (const startAfter of cursors) {
        const page = { ...order, limit: 9, startAfter };
        const found = [...list(ORG, filter, page)].flat().map(({ id }) => id);
        const wanted = expected(filter, page);
        if (!Bun.deepEquals(found, wanted)) {
          expect([filter, startAfter?.id, found]).toEqual([filter, startAfter?.id, wanted]);
        }
      }
    }
    expect(FILTERS.length * cursors.length).toBeGreaterThan(500);
  });

  test("shows each receipt once to whoever gives up and goes on", () => {
    const found: string[] = [];
    let startAfter: ListedReceipt | undefined;
    for (;;) {
      const pages = list(ORG, { q: "ro10" }, { ...order, limit: 3, startAfter, partsMax: 2 });
      const rows: ListedReceipt[] = [];
      let part = pages.next();
      for (; !part.done; part = pages.next()) rows.push(...part.value);
      found.push(...rows.map(({ id }) => id));
      const last = part.value ?? (rows.length === 3 ? rows.at(-1)?.id : undefined);
      if (last === undefined) break;
      startAfter = receipts.get(ORG, last);
    }
    expect(found).toEqual(expected({ q: "ro10" }, { ...order, limit: COUNT }));
  });
});

test("a period in another order is walked through, and not the history around it", () => {
  const few = { few: 0, firstPart: 5, largestPart: 40 };
  const period = { from: 2_000, to: 2_900 };
  const page = { order: "desc", sortBy: "totalMinor", limit: COUNT } as const;
  const parts = [...createReceiptLister(database.orm, few)(ORG, period, page)];
  const found = parts.flat().map(({ id }) => id);
  expect(found).toEqual(expected(period, page));
  expect(found.length).toBeGreaterThan(80);
  // The first part, a step for each 40 receipts, and the answer.
  expect(parts.length).toBeLessThanOrEqual(2 + Math.ceil(found.length / few.largestPart));
});
