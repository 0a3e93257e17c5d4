/** Stored receipts that a till names by one text: an id, or a number that several may have. */

import { paperNumbers, writingsOf } from "#core/command/settled.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "./index.ts";
import { isWordOfPerson, type NumberProofs } from "./proven-number.ts";

/** The receipt of a printer with that id, else those with that number, however it is written. */
export function receiptsNamed(
  { receipts }: Pick<Stores, "receipts">,
  of: ReceiptPrinter,
  named: string,
): readonly StoredReceipt[] {
  const byId = receipts.findByIdOrFiscalId(of, named);
  if (byId?.id === named) return [byId];
  const numbered = (number: string): readonly StoredReceipt[] =>
    writingsOf(number).flatMap((written) => receipts.listNumbered(of, written));
  const { zReportNumber, receiptNumber } = paperNumbers(named);
  // A person may have said it without its day.
  const ofDay = (zReportNumber === null ? [] : numbered(receiptNumber)).filter(
    (one) => Number(one.zReportNumber) === Number(zReportNumber),
  );
  const found = [...numbered(named), ...ofDay];
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

/**
 * True where nobody knows which of several is meant: one has the number by a person's word, and is called
 * so by tills, while the paper with it may be that of another.
 */
export function isAnyOf(
  stores: Pick<NumberProofs, "commands" | "outcomeHolds">,
  receipts: readonly StoredReceipt[],
): boolean {
  return receipts.length > 1 && receipts.some((one) => isWordOfPerson(stores, one));
}
