/** A number that a person read from a paper may turn out to be that of another receipt. */

import type { StoredReceipt } from "#core/receipt-record.ts";
import type { LeftFault } from "#core/reversal-fault.ts";
import {
  isSaidNumber,
  type NumberedStores,
  numberedDocument,
  othersNumbered,
} from "./numbered-receipts.ts";
import { printerOfReceipt } from "./receipt-printer.ts";

/**
 * Why a sale is not reversed by its number: the printer would take back the sale that has it on paper,
 * whoever's that is. A number that a person said it may have given to another, also while a reversal
 * waits. Undefined where it did not.
 */
export function givenNumberFault(
  stores: NumberedStores,
  sale: StoredReceipt,
): LeftFault | undefined {
  const document = isSaidNumber(stores, sale) ? numberedDocument(stores, sale) : undefined;
  if (document === undefined) return undefined;
  const [other] = othersNumbered(stores, printerOfReceipt(stores, sale), document);
  if (other === undefined) return undefined;
  const message =
    `A person said that the sale has number ${document.fiscalId}, and the printer gave that number to ` +
    `receipt ${other.id}: reverse the sale at the printer, by the number on its paper`;
  return { message, lines: [] };
}
