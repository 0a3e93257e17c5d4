/** Which stored receipt a `void_receipt` means: one has that id, or several have that number. */

import type { VoidReceiptPayload } from "#core/command/types/void-receipt.ts";
import { ApiError } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { type DocumentPrinterStores, documentReceipts } from "#db/stores/document-printer.ts";
import type { Stores } from "#db/stores/index.ts";
import { receiptsNamed, severalNamed } from "#db/stores/named-receipts.ts";
import type { NumberedStores } from "#db/stores/numbered-receipts.ts";
import { asOnPaper } from "#db/stores/proven-number.ts";

export type VoidedStores = DocumentPrinterStores & NumberedStores & Pick<Stores, "reversals">;

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
  const { acceptedFor = null } = stores.reversals.of(command.id) ?? {};
  if (acceptedFor === null) return named(stores, command)[0];
  // Another one may have got its number since, or may be told only now.
  const kept = stores.receipts.get(command.orgId, acceptedFor);
  if (kept === undefined) return undefined;
  const { seq: _, bookedAt: __, ...receipt } = kept;
  return receipt;
}

/**
 * Why nobody knows what a void means: of several with that number one has it by a person's word, and is
 * called so by tills, while the paper with it may be that of another. Undefined where it is known.
 */
export function severalRefusal(stores: VoidedStores, command: NewCommand): ApiError | undefined {
  const isKnown = stores.reversals.of(command.id)?.acceptedFor != null;
  if (command.type !== "void_receipt" || isKnown) return undefined;
  const printer = documentReceipts(stores, command);
  const receipts = severalNamed(stores, printer, named(stores, command));
  if (receipts.length === 0) return undefined;
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
  return receiptsNamed(stores, documentReceipts(stores, command), receiptId);
}
