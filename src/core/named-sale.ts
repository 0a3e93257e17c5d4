/** Which stored sale a reversal means. Its numbers may have come more than once. */

import { paperNumbers, writingsOf } from "./command/settled.ts";
import type { StornoDocument } from "./receipt.ts";
import type { ReceiptPrinter, StoredReceipt } from "./receipt-record.ts";
import { saleNumberForm } from "./unique-sale-number.ts";

/** What a reversal names of its original. */
export interface NamedSale {
  /** The printer that reverses, which mostly is the one that sold. */
  readonly by: Pick<ReceiptPrinter, "records" | "serialNumber" | "simulated">;
  /** The number in each way that it may be written. */
  readonly numbers: readonly string[];
  readonly fiscalMemorySerialNumber: string;
  readonly zReportNumber: string | undefined;
  /** As it is compared; null for none. */
  readonly uniqueSaleNumber: string | null;
  /** UTC milliseconds. */
  readonly issuedAt: number;
}

/** What the storno of a printer names. */
export function namedBy(by: NamedSale["by"], document: StornoDocument): NamedSale {
  const { receiptNumber, fiscalMemorySerialNumber, issuedAt } = document.original;
  const paper = paperNumbers(receiptNumber);
  // Where numbers begin anew each day a person may have said one without its day.
  const ofDay = paper.zReportNumber === null ? [] : [paper.receiptNumber];
  return {
    by,
    // Paper shows "0000027" for what the device tells as 27, and what was copied from it is stored so.
    numbers: [...writingsOf(receiptNumber), ...ofDay],
    ...{ fiscalMemorySerialNumber, issuedAt },
    zReportNumber: document.original.zReportNumber ?? paper.zReportNumber ?? undefined,
    uniqueSaleNumber: saleNumberForm(document.uniqueSaleNumber),
  };
}

/**
 * The one that is meant of sales whose number and fiscal memory fit: of the day that is named, else by
 * its unique sale number, else of the same printer, else the nearest in time.
 */
export function meantSale(
  named: NamedSale,
  sales: readonly StoredReceipt[],
): StoredReceipt | undefined {
  const { uniqueSaleNumber, by, issuedAt } = named;
  const differences = (sale: StoredReceipt): readonly number[] => [
    Number(isOfAnotherDay(sale, named)),
    Number(saleNumberForm(sale.uniqueSaleNumber) !== uniqueSaleNumber),
    Number(!by.records.includes(sale.deviceId)),
    Math.abs(sale.issuedAt - issuedAt),
  ];
  const [meant] = sales
    .map((sale) => ({ sale, differences: differences(sale) }))
    .sort((left, right) => compare(left.differences, right.differences));
  return meant?.sale;
}

function isOfAnotherDay(
  sale: Pick<StoredReceipt, "zReportNumber">,
  named: Pick<NamedSale, "zReportNumber">,
): boolean {
  if (sale.zReportNumber === null || named.zReportNumber === undefined) return false;
  return Number(sale.zReportNumber) !== Number(named.zReportNumber);
}

function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
