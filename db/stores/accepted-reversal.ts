/** What is stored of a reversal that is accepted: what it was asked for, and what its order names. */

import type { Command } from "#core/command/command.ts";
import { paperNumbers, withoutZeros } from "#core/command/settled.ts";
import { memoryForm } from "#core/device/printer.ts";
import type { ReceiptItem, StornoDocument } from "#core/receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import { saleNumberForm } from "#core/unique-sale-number.ts";
import { isNamedOnPaper } from "./proven-number.ts";
import type { NamedPaper, Reversal } from "./reversals.ts";
import { hasOtherReceiptNumber, type ReversedStores, tellerOf } from "./reversed-sale.ts";

/** The sale that a reversal is accepted for. */
export interface AcceptedSale {
  readonly sale: StoredReceipt;
  /** In its currency. */
  readonly items: readonly ReceiptItem[];
  /** What it is paid back in. */
  readonly currency: string;
}

/**
 * The row of a reversal that is being accepted.
 * @param document as it is printed; undefined for a void of what is not known
 * @param accepted undefined where nobody knows its sale, or only the unique sale number tells of one
 */
export function acceptedReversal(
  stores: ReversedStores,
  { id: commandId, orgId, type }: Pick<Command, "id" | "orgId" | "type">,
  {
    document,
    accepted,
  }: {
    readonly document: StornoDocument | undefined;
    readonly accepted: AcceptedSale | undefined;
  },
): Omit<Reversal, "stands"> {
  const isVoid = type === "void_receipt";
  const named = document === undefined || isVoid ? NAMES_NOTHING : namedPaper(document);
  const row = { commandId, orgId, ...named };
  if (accepted === undefined || document === undefined) {
    return { ...row, acceptedFor: null, isSure: false, ...TAKES_NOTHING };
  }
  const { sale, items, currency } = accepted;
  const amountMinor = documentTotalMinor(items);
  const isSure = isSurely(stores, sale, document);
  return { ...row, acceptedFor: sale.id, isSure, items: [...items], amountMinor, currency };
}

const NAMES_NOTHING = {
  ...{ number: null, namedAt: null, memory: null, zNumber: null, saleNumber: null },
};
const TAKES_NOTHING = { items: null, amountMinor: null, currency: null };

/** What an order names of the paper that it takes back, in the forms in which that is compared. */
export function namedPaper({ original, uniqueSaleNumber }: StornoDocument): NamedPaper {
  const { receiptNumber, zReportNumber } = paperNumbers(original.receiptNumber);
  const day = original.zReportNumber ?? zReportNumber;
  return {
    number: receiptNumber || null,
    namedAt: original.issuedAt,
    memory: memoryForm(original.fiscalMemorySerialNumber) || null,
    zNumber: day === null ? null : withoutZeros(day),
    saleNumber: saleNumberForm(uniqueSaleNumber),
  };
}

/** True where the sale is named by its id, or has the named number by the word of its printer or of a till. */
function isSurely(
  stores: ReversedStores,
  sale: StoredReceipt,
  { original }: StornoDocument,
): boolean {
  if (original.receiptNumber === sale.id) return true;
  // Of two kinds of numbers the other one may be that of another's receipt.
  if (hasOtherReceiptNumber(stores, sale, original.receiptNumber)) return false;
  return tellerOf(stores, sale) !== "person" && isNamedOnPaper(stores, sale, original);
}
