/** A number that a person read from a paper may turn out to be that of another receipt. */

import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import type { LeftFault } from "#core/reversal-fault.ts";
import {
  documentNamed,
  type NamedNumber,
  type NumberedStores,
  numberedDocument,
  othersNumbered,
} from "./numbered-receipts.ts";
import { contraryNumber, isSaidNumber } from "./proven-number.ts";
import { printerOfReceipt } from "./receipt-printer.ts";

/**
 * Why a sale is not reversed by its number: the printer would take back the sale that has it on paper,
 * whoever's that is. A number that a person said it may have given to another, also while a reversal
 * waits, or it proved that the sale has another one. Undefined where it did not.
 */
export function givenNumberFault(
  stores: NumberedStores,
  sale: StoredReceipt,
): LeftFault | undefined {
  const proven = contraryNumber(stores, sale);
  if (proven !== undefined) return provenFault(sale, proven);
  const document = isSaidNumber(stores, sale) ? numberedDocument(stores, sale) : undefined;
  if (document === undefined) return undefined;
  // What takes it back names that of the receipt.
  const named = { ...document, by: "receipt" } as const;
  const [other] = othersNumbered(stores, printerOfReceipt(stores, sale), named);
  if (other === undefined) return undefined;
  return misreadFault(sale, `the printer gave that number to receipt ${other.id}`);
}

/** Why a printer takes back no sale by a number: one that it gave to a sale that stands under another. */
export function misreadNumberFault(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  named: NamedNumber,
): { readonly sale: StoredReceipt; readonly fault: LeftFault } | undefined {
  for (const sale of othersNumbered(stores, printer, documentNamed(named))) {
    const proven = sale.type === "sale" ? contraryNumber(stores, sale) : undefined;
    if (proven !== undefined) return { sale, fault: provenFault(sale, proven) };
  }
  return undefined;
}

function provenFault(sale: StoredReceipt, proven: string): LeftFault {
  return misreadFault(sale, `the printer proved that it has number ${proven}`);
}

function misreadFault({ fiscalId }: StoredReceipt, why: string): LeftFault {
  const message =
    `A person said that the sale has number ${fiscalId}, and ${why}: ` +
    "reverse the sale at the printer, by the number on its paper";
  return { message, lines: [] };
}
