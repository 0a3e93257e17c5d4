/** Which receipt a duplicate is meant to be of: printers repeat whatever they printed last. */

import type { PrintDuplicatePayload } from "#core/command/types/print-duplicate.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { type DocumentPrinterStores, documentReceipts } from "#db/stores/document-printer.ts";
import { repeatLack } from "#db/stores/last-receipt.ts";
import type { NumberedStores } from "#db/stores/numbered-receipts.ts";

const FAULTS = {
  unknown: "No receipt with this id is known for the device",
  several:
    "A person read this number of one of the receipts that have it: name the id of the one that is meant",
  not_last: "The printer has printed another receipt since, and repeats only its last one",
} as const;

/** The receipt that is to be repeated, where the command names one: it has to be the last at its turn. */
export function namedForRepeat({ type, payload }: NewCommand): string | undefined {
  return type === "print_duplicate" ? (payload as PrintDuplicatePayload).receiptId : undefined;
}

/** Why a printer would repeat another receipt than the one that is meant; undefined when it would not. */
export function repeatFault(
  stores: DocumentPrinterStores & NumberedStores,
  command: NewCommand,
): string | undefined {
  const named = namedForRepeat(command);
  if (named === undefined) return undefined;
  const lack = repeatLack(stores, documentReceipts(stores, command), named);
  return lack && FAULTS[lack];
}
