/** Which stored receipt a `void_receipt` means: one has that id, or several have that number. */

import { paperNumbers, writingsOf } from "#core/command/settled.ts";
import type { VoidReceiptPayload } from "#core/command/types/void-receipt.ts";
import { ApiError } from "#core/errors.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import { numberedDocument } from "#db/stores/numbered-receipts.ts";
import { asOnPaper, isWordOfPerson, type NumberProofs } from "#db/stores/proven-number.ts";
import { type DocumentPrinterStores, documentReceipts } from "./document-printer.ts";

export type VoidedStores = DocumentPrinterStores &
  NumberProofs &
  Pick<Stores, "receipts" | "reversals">;

/** The one that a void takes back; undefined where the gateway has none. */
export function voidedReceipt(
  stores: VoidedStores,
  command: NewCommand,
): StoredReceipt | undefined {
  if (command.type !== "void_receipt") return undefined;
  const receipt = meant(stores, command);
  return receipt && asOnPaper(stores, receipt);
}

function meant(stores: VoidedStores, command: NewCommand): StoredReceipt | undefined {
  const reserved = stores.reversals.of(command.id);
  if (reserved === undefined) return named(stores, command)[0];
  // Another one may have got its number since, or may be told only now.
  const kept = stores.receipts.get(command.orgId, reserved.originalReceiptId);
  if (kept === undefined) return undefined;
  const { seq: _, bookedAt: __, ...receipt } = kept;
  return receipt;
}

/**
 * Why nobody knows what a void means: of several with that number one has it by a person's word, and is
 * called so by tills, while the paper with it may be that of another. Undefined where it is known.
 */
export function severalRefusal(stores: VoidedStores, command: NewCommand): ApiError | undefined {
  if (command.type !== "void_receipt" || stores.reversals.of(command.id)) return undefined;
  const receipts = named(stores, command);
  if (receipts.length < 2 || !receipts.some((one) => isWordOfPerson(stores, one))) return undefined;
  const ids = receipts.slice(0, TOLD_MAX).map(({ id }) => id);
  return new ApiError(
    "UNPROCESSABLE_ENTITY",
    `A person read this number of one of the receipts that have it, ${ids.join(", ")}: ` +
      "ask for a void of the id of the one that is meant",
  );
}

/** Ids that a refusal names. */
const TOLD_MAX = 3;

/** Those that it may mean, the last that was issued first. */
function named(stores: VoidedStores, command: NewCommand): readonly StoredReceipt[] {
  const { receiptId } = command.payload as VoidReceiptPayload;
  const of = documentReceipts(stores, command);
  const found = new Map(numbered(stores, of, receiptId).map((one) => [one.id, one]));
  // What is told late was not issued last, and ids of one process are in the order of their making.
  return [...found.values()].toSorted(
    (one, other) => begunAt(stores, other) - begunAt(stores, one) || (one.id < other.id ? 1 : -1),
  );
}

/** The one with that id, else those with that number, however it is written. */
function numbered(
  { receipts }: Pick<Stores, "receipts">,
  of: ReceiptPrinter,
  receiptId: string,
): readonly StoredReceipt[] {
  const byId = receipts.findByIdOrFiscalId(of, receiptId);
  if (byId?.id === receiptId) return [byId];
  const { zReportNumber, receiptNumber } = paperNumbers(receiptId);
  const found = writingsOf(receiptId).flatMap((written) => receipts.listNumbered(of, written));
  if (zReportNumber === null) return found;
  // A person may have said it without its day.
  const ofDay = writingsOf(receiptNumber)
    .flatMap((written) => receipts.listNumbered(of, written))
    .filter((one) => Number(one.zReportNumber) === Number(zReportNumber));
  return [...found, ...ofDay];
}

/** Before that its printer had given other numbers. UTC milliseconds. */
function begunAt(stores: NumberProofs, receipt: StoredReceipt): number {
  return numberedDocument(stores, receipt)?.at ?? receipt.createdAt;
}
