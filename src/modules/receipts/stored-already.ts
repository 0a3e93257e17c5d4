/** Whether a receipt that was made elsewhere is in the books already. */

import { writingsOf } from "#core/command/settled.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import {
  isNumberedAlike,
  type NumberedStores,
  numberedDocument,
  othersNumbered,
} from "#db/stores/numbered-receipts.ts";
import { isSaidNumber } from "#db/stores/proven-number.ts";
import { printerOfReceipt } from "#db/stores/receipt-printer.ts";

/**
 * True where its number stands in the books of its printer, or of its device. Whoever copies it from the
 * paper may write its zeros; the device told it without.
 */
export function isStoredAlready(stores: NumberedStores, receipt: StoredReceipt): boolean {
  const document = numberedDocument(stores, receipt);
  if (document === undefined) return false;
  const { orgId, deviceId } = receipt;
  const printer = printerOfReceipt(stores, receipt);
  const ofDevice = writingsOf(document.fiscalId)
    .flatMap((number) => stores.receipts.findByFiscalId(orgId, deviceId, number) ?? [])
    .filter((one) => isNumberedAlike(stores, printer, { document, receipt: one }));
  return [...ofDevice, ...othersNumbered(stores, printer, document)].some(
    (one) => !isSaidNumber(stores, one) || maybeSame(one, receipt),
  );
}

/**
 * A number that a person said may have been read wrongly, so it keeps no other sale out of the books; but
 * the same sale is not booked twice.
 */
function maybeSame(one: StoredReceipt, other: StoredReceipt): boolean {
  const [sale, otherSale] = [one.uniqueSaleNumber, other.uniqueSaleNumber];
  if (sale !== null && otherSale !== null) return sale === otherSale;
  return one.type === other.type && one.totalMinor === other.totalMinor;
}
