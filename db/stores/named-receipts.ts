/** Stored receipts that a till names by one text: an id, or a number that several may have. */

import { paperNumbers, writingsOf } from "#core/command/settled.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import {
  isOfOneDay,
  isOfOneRound,
  type NumberedDocument,
  type NumberedStores,
  numberedDocument,
} from "./numbered-receipts.ts";
import { isWordOfPerson } from "./proven-number.ts";

/**
 * The receipt of a printer with that id, else those with that number, however it is written: the last that
 * was issued first.
 */
export function receiptsNamed(
  stores: NumberedStores,
  of: ReceiptPrinter,
  named: string,
): readonly StoredReceipt[] {
  const { receipts } = stores;
  const byId = receipts.findByIdOrFiscalId(of, named);
  if (byId?.id === named) return [byId];
  const numbered = (number: string): readonly StoredReceipt[] =>
    writingsOf(number).flatMap((written) => receipts.listNumbered(of, written));
  const { zReportNumber, receiptNumber } = paperNumbers(named);
  // A person may have said it without its day.
  const ofDay = (zReportNumber === null ? [] : numbered(receiptNumber)).filter(
    (one) => Number(one.zReportNumber) === Number(zReportNumber),
  );
  const found = [...new Map([...numbered(named), ...ofDay].map((one) => [one.id, one])).values()];
  // What is told late was not issued last, and ids of one process are in the order of their making.
  return found.toSorted(
    (one, other) => begunAt(stores, other) - begunAt(stores, one) || (one.id < other.id ? 1 : -1),
  );
}

/** Before that its printer had given other numbers. UTC milliseconds. */
function begunAt(stores: NumberedStores, receipt: StoredReceipt): number {
  return numberedDocument(stores, receipt)?.at ?? receipt.createdAt;
}

/**
 * The receipts among which nobody knows the one that is meant: one of them has the number by a person's
 * word, and is called so by tills, while the paper with it may be that of another. Those of a day or round
 * before have it by right, and the newest is meant. Empty where one is known.
 * @param receipts the newest first
 */
export function severalNamed(
  stores: NumberedStores,
  of: ReceiptPrinter,
  receipts: readonly StoredReceipt[],
): readonly StoredReceipt[] {
  const [newest, ...others] = receipts;
  const other = newest && storedAs(stores, newest);
  if (newest === undefined || other === undefined) return [];
  const alike = others.filter((one) => {
    const document = storedAs(stores, one);
    const both = document && { document, other, id: newest.id };
    return both && isOfOneDay(stores, of, both) && isOfOneRound(stores, of, both);
  });
  const several = [newest, ...alike];
  return alike.length > 0 && several.some((one) => isWordOfPerson(one)) ? several : [];
}

/** Under the number that it is called by, whatever its printer proved. */
function storedAs(stores: NumberedStores, receipt: StoredReceipt): NumberedDocument | undefined {
  const document = numberedDocument(stores, receipt);
  return document && { ...document, fiscalId: receipt.fiscalId ?? document.fiscalId };
}
