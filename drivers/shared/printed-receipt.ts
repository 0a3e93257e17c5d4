/** The result of a document that was printed, in the form that the gateway stores. */

import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Evidence } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import { toSecond } from "./instant.ts";
import { nextZNumber } from "./z-report.ts";

/** What is known of a printed document. Amounts in minor units, instants in UTC milliseconds. */
export interface PrintedReceipt {
  /**
   * The number that the device knows the document by; null where it is not proven to be that of
   * ours: a storno by it would take back somebody else's receipt.
   */
  readonly fiscalId: number | null;
  /** The number that is printed on it, where that is another one. */
  readonly receiptNumber?: number | null;
  readonly fiscalMemorySerialNumber: string | null;
  /** Number of the last Z report before it; null when the device does not tell. */
  readonly lastZNumber: number | null;
  /** Null when the device does not tell. */
  readonly issuedAt: number | null;
  readonly totalMinor: number;
  readonly changeMinor: number;
}

/**
 * Number of the last Z report before a document that broke off: somebody may have closed the day since.
 * Null when that is not known.
 */
export function lastZNumberIn({ baseline: { zNumber } }: Evidence): number | null {
  return typeof zNumber === "number" ? zNumber : null;
}

/** Describes a printed document. */
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
      change: fromMinor(printed.changeMinor),
    },
  };
}
