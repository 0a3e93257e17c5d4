/** Which receipt a duplicate is meant to be of: printers repeat whatever they printed last. */

import type { PrintDuplicatePayload } from "#core/command/types/print-duplicate.ts";
import type { ReceiptPrinter } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { ElsewhereReceipt as Known } from "#db/stores/elsewhere-receipts.ts";
import type { Stores } from "#db/stores/index.ts";
import { inOrder } from "#db/stores/order.ts";
import type { ListedReceipt } from "#db/stores/receipt-list.ts";
import { type DocumentPrinterStores, documentReceipts } from "./document-printer.ts";
import { LOOKED_AT_MAX } from "./known-documents.ts";

const MINUTE_MS = 60_000;

type RepeatStores = DocumentPrinterStores & Pick<Stores, "commands" | "receipts">;

/** The receipt that is to be repeated, where the command names one: it has to be the last at its turn. */
export function namedForRepeat({ type, payload }: NewCommand): string | undefined {
  return type === "print_duplicate" ? (payload as PrintDuplicatePayload).receiptId : undefined;
}

/** Why a printer would repeat another receipt than the one that is meant; undefined when it would not. */
export function repeatFault(stores: RepeatStores, command: NewCommand): string | undefined {
  const named = namedForRepeat(command);
  if (named === undefined) return undefined;
  const of = documentReceipts(stores, command);
  const meant = stores.receipts.findByIdOrFiscalId(of, named);
  if (meant === undefined) return "No receipt with this id is known for the device";
  const last = lastReceipt(stores, of);
  return last === undefined || last.id === meant.id
    ? undefined
    : "The printer has printed another receipt since, and repeats only its last one";
}

/** The receipt that a printer printed last, by a command of ours or for somebody else. */
function lastReceipt(stores: RepeatStores, of: ReceiptPrinter): Known | undefined {
  const ours = lastOfOurs(stores, of.records);
  return stores.receipts
    .listElsewhere(of, ours?.seq ?? 0)
    .reduce<Known | undefined>((last, told) => (isBefore(told, last) ? last : told), ours);
}

/**
 * True for what was told later, and says that it was issued before. Both times are of the printer's
 * clock, and papers show minutes; where none was told it is the gateway's, and says nothing.
 */
function isBefore({ issuedAt, createdAt }: Known, last: Known | undefined): boolean {
  if (last === undefined || issuedAt === createdAt) return false;
  return Math.floor(issuedAt / MINUTE_MS) < Math.floor(last.issuedAt / MINUTE_MS);
}

/**
 * The last one of a command over any of the records. Each record prints in the order of acceptance;
 * what waited at one of them may be printed behind what was accepted later at another.
 */
function lastOfOurs(stores: RepeatStores, records: readonly string[]): ListedReceipt | undefined {
  const [last] = records
    .flatMap((deviceId) => newestOf(stores, deviceId) ?? [])
    .toSorted((one, other) => inOrder(other.ended, one.ended));
  return last && stores.receipts.get(last.receipt.orgId, last.receipt.id);
}

function newestOf({ commands, receipts }: RepeatStores, deviceId: string) {
  const printed = commands.listPrinted(deviceId).take(LOOKED_AT_MAX);
  for (const { id, finishedOrder, finishedAt } of printed) {
    const receipt = receipts.ofCommand(id);
    const ended = { order: finishedOrder, at: finishedAt ?? 0 };
    if (receipt !== undefined) return { ended, receipt };
  }
  return undefined;
}
