/** Receipts as the API shows them. */

import type { Static } from "@sinclair/typebox";
import { receiptBookedAt } from "#core/booking.ts";
import { isoTime } from "#core/iso-time.ts";
import { formatMilli, fromMinor } from "#core/money.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { ReceiptRecordSchema } from "./schema.ts";

export type ReceiptRecord = Static<typeof ReceiptRecordSchema>;

/** The record of a receipt. */
export function receiptRecord(receipt: StoredReceipt): ReceiptRecord {
  return {
    id: receipt.id,
    orgId: receipt.orgId,
    deviceId: receipt.deviceId,
    locationId: receipt.locationId,
    commandId: receipt.commandId,
    apiKeyId: receipt.apiKeyId,
    type: receipt.type,
    fiscalId: receipt.fiscalId,
    receiptNumber: receipt.receiptNumber,
    uniqueSaleNumber: receipt.uniqueSaleNumber,
    fiscalMemorySerialNumber: receipt.fiscalMemorySerialNumber,
    zReportNumber: receipt.zReportNumber,
    issuedAt: isoTime(receipt.issuedAt),
    bookedAt: isoTime(receiptBookedAt(receipt)),
    currency: receipt.currency,
    items: receipt.items.map(itemRecord),
    subtotalModifiers: receipt.subtotalModifiers.map(({ kind, amountMinor }) => ({
      type: kind === "discount" ? "discount-amount" : "surcharge-amount",
      value: fromMinor(amountMinor),
    })),
    payments: receipt.payments.map(paymentRecord),
    total: fromMinor(receipt.totalMinor),
    customerCif: receipt.customerCif,
    originalReceiptId: receipt.originalReceiptId,
    source: receipt.source,
    createdAt: isoTime(receipt.createdAt),
    simulated: receipt.simulated,
  };
}

/** An item, as it is stored and as commands take it. */
export function itemRecord(item: StoredReceipt["items"][number]): ReceiptRecord["items"][number] {
  return {
    name: item.name,
    quantity: Number(formatMilli(item.quantityMilli)),
    price: fromMinor(item.priceMinor),
    vatGroup: item.vatGroup,
    ...(item.department === undefined ? {} : { department: item.department }),
    ...(item.unit === undefined ? {} : { unit: item.unit }),
  };
}

/** A payment, as it is stored and as commands take it. */
export function paymentRecord(
  payment: StoredReceipt["payments"][number],
): ReceiptRecord["payments"][number] {
  return { method: payment.method, amount: fromMinor(payment.amountMinor) };
}
