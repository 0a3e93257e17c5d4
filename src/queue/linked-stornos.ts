/** Stornos that were printed before anybody knew the number of their sale. */

import type { Command } from "#core/command/command.ts";
import { paperNumbers } from "#core/command/settled.ts";
import type { PrintReversalReceiptPayload } from "#core/command/types/print-reversal-receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { saleNumberForm } from "#core/unique-sale-number.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import { isCountedApart, isOfNamedDay, type NumberedStores } from "#db/stores/numbered-receipts.ts";
import { contraryNumber } from "#db/stores/proven-number.ts";
import { printerOfReceipt } from "#db/stores/receipt-printer.ts";
import { namingOf } from "./waiting-reversals.ts";

/** A sale whose number is known now. */
export interface NumberedSale {
  readonly receipt: Pick<StoredReceipt, "id" | "orgId" | "simulated" | "uniqueSaleNumber">;
  /** What printed it; undefined for one that was made elsewhere. */
  readonly command?: Pick<Command, "seq">;
  /** When it was sold. UTC milliseconds. */
  readonly soldAt: number;
  /** The sale that a command means, as far as is known by now. */
  readonly meantBy: (command: NewCommand) => StoredReceipt | undefined;
}

type LinkedStores = NumberedStores & Pick<Stores, "reversals">;

/** Counts on a sale what took it back before. Inside an operation. */
export function linkStornos(
  stores: LinkedStores,
  { receipt, command, soldAt, meantBy }: NumberedSale,
): void {
  const { commands, receipts } = stores;
  const { id: receiptId, orgId, simulated } = receipt;
  const seq = command?.seq ?? 0;
  // The clock may have been set back since the sale.
  const uncounted = (["behind", "before"] as const).flatMap((side) =>
    receipts.listUncounted({ ...{ orgId, simulated, at: soldAt, seq }, side }),
  );
  const ofUnread = countedOnUnread(stores, receipt);
  // Behind most sales there is none.
  const isLooked = uncounted.length + ofUnread.length > 0;
  const sale = isLooked ? receipts.get(orgId, receiptId) : undefined;
  if (sale === undefined) return;
  const mayMean = namingOf(stores, sale);
  for (const { id, commandId } of uncounted) {
    const by = commands.get(orgId, commandId);
    if (by && mayMean(by) && meantBy(by)?.id === receiptId) receipts.link(id, receiptId);
  }
  // By the unique sale number alone is meant what has no other: the number decides.
  if (sale.fiscalId === null) return;
  for (const { id, original, by } of ofUnread) {
    if (!mayMean(by) || meantBy(by)?.id !== receiptId) continue;
    receipts.unlink(id, original);
    receipts.link(id, receiptId);
  }
}

/**
 * The printer has proven the number of a sale: what was counted on it, and names another paper, is of that
 * one; and what names its own counts on it from now on. Inside an operation.
 */
export function relinkStornos(stores: LinkedStores, numbered: NumberedSale): void {
  const { receipts } = stores;
  const { receipt, meantBy } = numbered;
  const sale = receipts.get(receipt.orgId, receipt.id);
  if (sale === undefined) return;
  for (const { id, by } of countedByName(stores, sale, isMisread(stores, sale))) {
    if (!namesAnother(stores, sale, by)) continue;
    receipts.unlink(id, sale.id);
    stores.reversals.remove(by.id);
    const other = meantBy(by);
    if (other) receipts.link(id, other.id);
  }
  linkStornos(stores, numbered);
}

/**
 * True for a reversal that was accepted as one of that sale, by a number that a person misread: the paper that
 * it takes back is another one.
 */
export function isOfMisread(stores: LinkedStores, by: Command, originalReceiptId: string): boolean {
  const sale = stores.receipts.get(by.orgId, originalReceiptId);
  if (by.type !== "print_reversal_receipt" || sale === undefined) return false;
  return isMisread(stores, sale) && namesAnother(stores, sale, by);
}

function isMisread(stores: LinkedStores, sale: StoredReceipt): boolean {
  return contraryNumber(stores, sale) !== undefined;
}

/** A storno that counts on a sale, by what its command names. */
interface CountedStorno {
  readonly id: string;
  readonly original: string;
  readonly by: Command;
}

/**
 * What was printed for a sale that nobody knew when it was accepted. What was accepted as its storno stays one.
 * @param all what was accepted as its storno, too
 */
function countedByName(
  { commands, receipts, reversals }: LinkedStores,
  { id: original, orgId }: Pick<StoredReceipt, "id" | "orgId">,
  all = false,
): readonly CountedStorno[] {
  return receipts.listReversing(orgId, original).flatMap(({ id, commandId }) => {
    const by = commandId === null ? undefined : commands.get(orgId, commandId);
    if (by?.type !== "print_reversal_receipt") return [];
    return all || reversals.of(by.id) === undefined ? { id, original, by } : [];
  });
}

/** The same of the sales that have no number, and the unique sale number of this one. */
function countedOnUnread(
  stores: LinkedStores,
  { id, orgId, uniqueSaleNumber }: NumberedSale["receipt"],
): readonly CountedStorno[] {
  const form = saleNumberForm(uniqueSaleNumber);
  if (form === null) return [];
  return stores.receipts
    .listUnnumbered(orgId, form)
    .filter((one) => one.id !== id)
    .flatMap((one) => countedByName(stores, one));
}

/** True where the paper that a reversal names has surely another number than the sale, or is of another day. */
function namesAnother(stores: LinkedStores, sale: StoredReceipt, by: Command): boolean {
  const payload = by.payload as PrintReversalReceiptPayload;
  const { originalReceiptNumber: fiscalId, originalZReportNumber } = payload;
  if (!namingOf(stores, sale)(by)) {
    // Of a paper with two numbers it may name the one that was not told.
    return sale.receiptNumber !== null || !isCountedApart(stores, printerOfReceipt(stores, sale));
  }
  const day = paperNumbers(fiscalId).zReportNumber ?? (originalZReportNumber?.trim() || null);
  if (day === null || fiscalId === sale.id) return false;
  return !isOfNamedDay(stores, sale, { fiscalId, zReportNumber: day, at: sale.issuedAt });
}
