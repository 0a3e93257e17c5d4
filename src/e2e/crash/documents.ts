/** The documents that are printed while things are taken away. */

import { toReceiptItems } from "#core/command/document-fields.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import type { Place } from "./place.ts";

const USN = "DT123456-0001-0000001";
const ITEMS = [
  { name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT2" },
  { name: "Cheese", quantity: 0.345, price: 39.9, vatGroup: "VAT2" },
  { name: "Bag", quantity: 1, price: 0.5, vatGroup: "VAT1" },
] as const;
/** What the lines of our documents are called. */
export const ITEM_NAMES: readonly string[] = ITEMS.map(({ name }) => name);
/** 3.00 + 13.77 + 0.50, in minor units. */
export const TOTAL_MINOR = 1727;
/** Of one sale, before a lane goes on with another. */
const STORNOS = 4_000;
/** For the stornos, which take cash out of the drawer. */
const CASH = 90_000;
/** For a storno of a device that tells no number of its fiscal memory. */
const ANY_FISCAL_MEMORY = "12345678";

export const DOCUMENT_KINDS = ["sale", "storno"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** A command that prints a document. */
export interface Order {
  readonly type: string;
  readonly payload: unknown;
}

/** A three-line sale, paid in two tenders so that a half-paid receipt is among the moments. */
export const SALE: Order = {
  type: "print_receipt",
  payload: {
    uniqueSaleNumber: USN,
    items: ITEMS,
    payments: [
      { method: "card", amount: 10 },
      { method: "cash", amount: 7.27 },
    ],
  },
};

/**
 * Prints a sale and makes the order of a storno of a part of it, with the cash in the drawer that
 * it takes.
 * @param times how often that may be printed
 */
export async function stornoOrder({ till, deviceId }: Place, times: number): Promise<Order> {
  const deposit = await till.submit(deviceId, "cash_in", { amount: CASH });
  await till.wait(deposit.id);
  const items = ITEMS.map((item) => ({
    ...item,
    quantity: (item.quantity * 1_000 * times) / 1_000,
  }));
  const amount = documentTotalMinor(toReceiptItems(items)) / 100;
  const payments = [{ method: "card", amount }];
  const { id } = await till.submit(deviceId, SALE.type, { uniqueSaleNumber: USN, items, payments });
  const { result } = await till.wait(id);
  const { receiptNumber, issuedAt, fiscalMemorySerialNumber, zReportNumber } = result?.data ?? {};
  return {
    type: "print_reversal_receipt",
    payload: {
      uniqueSaleNumber: USN,
      originalReceiptNumber: String(receiptNumber),
      originalReceiptDateTime: issuedAt ?? new Date().toISOString(),
      fiscalMemorySerialNumber: fiscalMemorySerialNumber ?? ANY_FISCAL_MEMORY,
      ...(typeof zReportNumber === "string" ? { originalZReportNumber: zReportNumber } : {}),
      reason: "operator-error",
      items: ITEMS,
    },
  };
}

/** The order that prints a document of this kind, as often as it is submitted. */
export function orderFor(place: Place, kind: DocumentKind): Promise<Order> {
  return kind === "sale" ? Promise.resolve(SALE) : stornoOrder(place, STORNOS);
}
