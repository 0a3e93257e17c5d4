/** Payloads that every device must take, and payloads that none may be sent. */

import { type CommandType, payloadIssues } from "#core/command/catalogue.ts";
import type { DriverId } from "#core/driver-id.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { BookModel } from "../simulator/books/books.ts";
import { sampleBitmap } from "./sample-bitmap.ts";
import { storedSale } from "./stored-sale.ts";

export const UNIQUE_SALE_NUMBER = "DT577430-0001-0000001";
const COFFEE = { name: "Coffee", quantity: 2.5, price: 3.3, vatGroup: "VAT2" };
const WATER = { name: "Water", quantity: 1, price: 1, vatGroup: "VAT1" };

/** A sale of 9.25, 4.00 of it by card. */
export const SALE = {
  uniqueSaleNumber: UNIQUE_SALE_NUMBER,
  items: [COFFEE, WATER],
  payments: [
    { method: "card", amount: 4 },
    { method: "cash", amount: 5.25 },
  ],
};
export const SALE_MINOR = 925;
export const SALE_CASH_MINOR = 525;

/** A sale of one item in one group, paid with one tender. */
export function smallSale(options: {
  readonly price?: number;
  readonly quantity?: number;
  readonly name?: string;
  readonly vatGroup?: string;
  readonly method?: string;
  readonly total?: number;
}) {
  const { price = 1.2, quantity = 1, name = "Tea", vatGroup = "VAT2", method = "cash" } = options;
  return {
    uniqueSaleNumber: UNIQUE_SALE_NUMBER,
    items: [{ name, quantity, price, vatGroup }],
    payments: [{ method, amount: options.total ?? price }],
  };
}

/** What a storno must name of the sale that it reverses. */
export interface OriginalSale {
  readonly fiscalId: string;
  readonly issuedAt: string;
  readonly fiscalMemorySerialNumber: string;
  readonly zReportNumber: string | null;
}

/** What the samples are made for. */
export interface SampleContext {
  readonly driver: DriverId;
  readonly books: BookModel;
  /** The sale, once it was printed. */
  readonly sold: OriginalSale | undefined;
}

/** A storno of the water of the sale. */
function storno(sold: OriginalSale | undefined) {
  return {
    uniqueSaleNumber: UNIQUE_SALE_NUMBER,
    originalReceiptNumber: sold?.fiscalId ?? "1",
    originalReceiptDateTime: sold?.issuedAt ?? "2024-03-15T12:05:09Z",
    fiscalMemorySerialNumber: sold?.fiscalMemorySerialNumber ?? "12345678",
    ...(sold?.zReportNumber ? { originalZReportNumber: sold.zReportNumber } : {}),
    reason: "refund",
    items: [WATER],
  };
}
export const STORNO_MINOR = 100;

/** The coffee of the sale as the gateway would have stored it, paid in cash. */
export function storedCoffee(sold: OriginalSale): StoredReceipt {
  return storedSale({
    ...{ name: COFFEE.name, quantityMilli: 2_500, priceMinor: 330 },
    ...{ ...sold, uniqueSaleNumber: UNIQUE_SALE_NUMBER, issuedAt: Date.parse(sold.issuedAt) },
  });
}
export const COFFEE_MINOR = 825;

/** A device command that only reads, as its protocol numbers it. */
const RAW_READS: readonly (readonly [family: string, payload: object])[] = [
  [".isl", { command: 62 }],
  [".zfp", { command: 0x21 }],
  [".shtrih", { command: 0x10, dataHex: "01000000" }],
  [".serial", { command: 1_013 }],
];

/** A payload that a device which can carry out the type takes. */
export function samplePayload(type: CommandType, { driver, books, sold }: SampleContext): unknown {
  switch (type) {
    case "print_receipt":
      return SALE;
    case "print_reversal_receipt":
      return storno(sold);
    case "void_receipt":
      return { receiptId: "rct_1" };
    case "non_fiscal_receipt":
      return { header: "Note", lines: ["one", "", "two"] };
    case "cash_in":
      return { amount: 100.5 };
    case "cash_out":
      return { amount: 40 };
    case "set_logo":
      return { logo: sampleBitmap() };
    case "set_vat_rates": {
      // The rate that it has already: what else the suite sells must not change.
      const rate = (books.vat[1]?.rateBasisPoints ?? 0) / 100;
      return { rates: [{ group: "VAT2", rate, enabled: true }] };
    }
    case "set_header_footer":
      return { header: ["Shop", "Street"], footer: books.footerLines > 0 ? ["Bye"] : [] };
    case "set_operator":
      return { operatorId: 2, name: "Maria" };
    case "raw_command":
      return RAW_READS.find(([family]) => driver.endsWith(family))?.[1] ?? {};
    default:
      return {};
  }
}

/** What takes the place of each value in turn; absent is a place of its own. */
const STRANGE_VALUES: readonly unknown[] = [
  undefined,
  null,
  "",
  "x".repeat(1_000),
  -1,
  0,
  0.0001,
  1e15,
  Number.MAX_VALUE,
  [],
  {},
];

/**
 * Payloads that the catalogue refuses: a good one with each of its values in turn missing or
 * strange, as far as that makes it a bad one.
 */
export function badPayloads(type: CommandType, good: unknown): unknown[] {
  return [...variants(good)].filter((payload) => payloadIssues(type, payload).length > 0);
}

function* variants(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const places = [...STRANGE_VALUES, ...variants(inner)];
    for (const strange of places) yield withValue(value, key, strange);
  }
}

function withValue(value: object, key: string, replaced: unknown): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.map((item, index) => (index === Number(key) ? replaced : item));
  }
  const { [key]: _old, ...rest } = Object.fromEntries(Object.entries(value));
  return replaced === undefined ? rest : { ...rest, [key]: replaced };
}

/** What raw commands may not hold, which the catalogue does not check. */
export const BAD_RAW_PAYLOADS: readonly unknown[] = [
  {},
  { command: -1 },
  { command: 1.5 },
  { command: 100_000 },
  { command: "62" },
  { command: 62, data: 1 },
  { command: 62, dataHex: "1" },
  { command: 62, dataHex: "zz" },
  { command: 62, data: "a", dataHex: "61" },
  { command: 62, data: "a".repeat(5_000) },
];
