/** The code on a receipt. */

import { formatMinor } from "#core/money.ts";
import { timeText } from "../books/books-view.ts";
import type { ReceiptRecord } from "../books/receipt.ts";

/**
 * What the code on a Bulgarian receipt says: number of the fiscal memory, of the receipt, date,
 * time, amount. Source: Ordinance H-18 of the Bulgarian Ministry of Finance, annex 1.
 */
export function receiptCodeText(record: ReceiptRecord, fiscalMemory: string): string {
  const [date = "", time = ""] = (timeText(record.closedAt) ?? "").split("T");
  const number = String(record.number).padStart(7, "0");
  return [fiscalMemory, number, date, time, formatMinor(record.totalMinor)].join("*");
}
