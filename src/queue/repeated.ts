/** Which receipt a duplicate is meant to be of: printers repeat whatever they printed last. */

import type { PrintDuplicatePayload } from "#core/command/types/print-duplicate.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import { type DocumentPrinterStores, documentReceipts } from "./document-printer.ts";

/** The receipt that is to be repeated, where the command names one: it has to be the last at its turn. */
export function namedForRepeat({ type, payload }: NewCommand): string | undefined {
  return type === "print_duplicate" ? (payload as PrintDuplicatePayload).receiptId : undefined;
}

/** Why a printer would repeat another receipt than the one that is meant; undefined when it would not. */
export function repeatFault(
  stores: DocumentPrinterStores & Pick<Stores, "receipts">,
  command: NewCommand,
): string | undefined {
  const named = namedForRepeat(command);
  if (named === undefined) return undefined;
  const of = documentReceipts(stores, command);
  const meant = stores.receipts.findByIdOrFiscalId(of, named);
  if (meant === undefined) return "No receipt with this id is known for the device";
  const page = { sortBy: "bookedAt", order: "desc", limit: 1 } as const;
  const lasts = of.records.flatMap((deviceId) =>
    [...stores.receipts.list(of.orgId, { deviceId }, page)].flat(),
  );
  const [last] = lasts.toSorted((a, b) => b.bookedAt - a.bookedAt || b.seq - a.seq);
  return last === undefined || last.id === meant.id
    ? undefined
    : "The printer has printed another receipt since, and repeats only its last one";
}
