/** What is told of a document that was printed: now by a command, or last on the device. */

import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { DeviceInfo } from "#core/device/device.ts";
import type { CommandSuccess, Evidence } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import { toSecond } from "./instant.ts";
import { nextZNumber } from "./z-report.ts";

/** What is known of a printed document. Amounts in minor units, instants in UTC milliseconds. */
export interface PrintedReceipt {
  /**
   * What the device knows the document by; null where it is not proven to be that of
   * ours: a storno by it would take back somebody else's receipt.
   */
  readonly fiscalId: number | string | null;
  /** The number that is printed on it, where that is another one. */
  readonly receiptNumber?: number | null;
  readonly fiscalMemorySerialNumber: string | null;
  /** Number of the last Z report before it; null when the device does not tell. */
  readonly lastZNumber: number | null;
  /** Null when the device does not tell. */
  readonly issuedAt: number | null;
  readonly totalMinor: number;
}

/**
 * Number of the last Z report before a document that broke off: somebody may have closed the day since.
 * Null when that is not known.
 */
export function lastZNumberIn({ baseline: { zNumber } }: Evidence): number | null {
  return typeof zNumber === "number" ? zNumber : null;
}

/** Describes a printed document, in the form that the gateway stores. */
export function describeReceipt(printed: PrintedReceipt): CommandSuccess<ReceiptResult> {
  const { fiscalId, receiptNumber = fiscalId } = printed;
  const zNumber = nextZNumber(printed.lastZNumber);
  return {
    ...(fiscalId !== null && { fiscalId: String(fiscalId) }),
    data: {
      receiptNumber: receiptNumber === null ? null : String(receiptNumber),
      fiscalMemorySerialNumber: printed.fiscalMemorySerialNumber,
      // The document belongs to the day that the next Z report closes.
      zReportNumber: zNumber === null ? null : String(zNumber),
      issuedAt: toSecond(printed.issuedAt),
      totalAmount: fromMinor(printed.totalMinor),
      // Tenders are paid exactly.
      change: 0,
    },
  };
}

/** The last receipt as a device tells of it; null, or number 0, what it does not tell. */
export interface LastReceipt {
  /** Null where the device has none, or does not tell which document it was. */
  readonly number: number | null;
  /** UTC milliseconds; null where the device does not tell. */
  readonly issuedAt: number | null;
  /** Minor units; null while a receipt is open, and where the last one was cancelled. */
  readonly amountMinor: number | null;
}

/** The last receipt in the result of `get_last_receipt_info`. */
export function describeLastReceipt(
  { number, issuedAt, amountMinor }: LastReceipt,
  { fiscalMemorySerialNumber }: Pick<DeviceInfo, "fiscalMemorySerialNumber">,
) {
  return {
    receiptNumber: number === null || number === 0 ? null : String(number),
    receiptDateTime: toSecond(issuedAt),
    receiptAmount: amountMinor === null ? null : fromMinor(amountMinor),
    fiscalMemorySerialNumber,
  };
}
