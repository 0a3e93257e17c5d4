/** Whether a receipt that was made elsewhere is in the books already. */

import type { StoredReceipt } from "#core/receipt-record.ts";
import { saleNumberForm } from "#core/unique-sale-number.ts";
import {
  type NumberedStores,
  numberedDocument,
  othersNumbered,
} from "#db/stores/numbered-receipts.ts";
import { isSaidNumber } from "#db/stores/proven-number.ts";
import { printerOfReceipt } from "#db/stores/receipt-printer.ts";

/**
 * True where its number stands in the books of its printer: one that stands in its place now counts anew.
 * Whoever copies it from the paper may write its zeros; the device told it without.
 */
export function isStoredAlready(stores: NumberedStores, receipt: StoredReceipt): boolean {
  const document = numberedDocument(stores, receipt);
  if (document === undefined) return false;
  return othersNumbered(stores, printerOfReceipt(stores, receipt), document).some(
    (one) => !isSaidNumber(stores, one) || maybeSame(one, receipt),
  );
}

/**
 * A number that a person said may have been read wrongly, so it keeps no other sale out of the books; but
 * the same sale is not booked twice.
 */
function maybeSame(one: StoredReceipt, other: StoredReceipt): boolean {
  const sale = saleNumberForm(one.uniqueSaleNumber);
  const otherSale = saleNumberForm(other.uniqueSaleNumber);
  if (sale !== null && otherSale !== null) return sale === otherSale;
  return one.type === other.type && one.totalMinor === other.totalMinor;
}
