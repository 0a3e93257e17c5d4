/** Stornos that were printed before anybody knew the number of their sale. */

import type { Command } from "#core/command/command.ts";
import type { PrintReversalReceiptPayload } from "#core/command/types/print-reversal-receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import { excessOf } from "#core/reversal-fault.ts";
import { inCurrencyOf } from "#core/sale-in-euro.ts";
import { saleNumberForm } from "#core/unique-sale-number.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { NumberedStores } from "#db/stores/numbered-receipts.ts";
import { isMisread } from "#db/stores/proven-number.ts";
import { leftOfSale } from "#db/stores/sale-left.ts";
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
  const isOfThis = (by: Command): boolean => mayMean(by) && meantBy(by)?.id === receiptId;
  for (const { id, commandId } of uncounted) {
    const by = commands.get(orgId, commandId);
    if (by && isOfThis(by)) move(stores, { storno: id, by, to: receiptId });
  }
  // By the unique sale number alone is meant what has no other: the number decides.
  if (!hasNumber(sale)) return;
  for (const { storno, original, by } of ofUnread) {
    if (isOfThis(by)) move(stores, { storno: storno.id, by, from: original, to: receiptId });
  }
}

/**
 * The printer has proven the number of a sale: what names that counts on it from now on. What was counted on
 * it, and names another paper, is of the sale that is known to have it. While none is, it is held against this
 * one, as its unique sale number told; but not by a number that a person misread. Inside an operation.
 */
export function relinkStornos(stores: LinkedStores, numbered: NumberedSale): void {
  const { receipt, meantBy } = numbered;
  const sale = stores.receipts.get(receipt.orgId, receipt.id);
  if (sale === undefined) return;
  const wasMisread = isMisread(stores, sale);
  const own = countedByName(stores, sale, wasMisread);
  // What another one has beyond this is seen once it has given up what is of this one.
  linkStornos(stores, numbered);
  for (const { storno, by } of own) {
    stores.receipts.unlink(storno.id, sale.id);
    const meant = meantBy(by);
    const isKnown = meant && (hasNumber(meant) || hasLeftFor(stores, meant, storno));
    if (isKnown) move(stores, { storno: storno.id, by, to: meant.id });
    else if (wasMisread) stores.reversals.remove(by.id);
    else hold(stores, sale, storno);
  }
}

/** True for a sale that is known by a number of its own. */
function hasNumber({ fiscalId, receiptNumber }: StoredReceipt): boolean {
  return fiscalId !== null || receiptNumber !== null;
}

function hasLeftFor(stores: LinkedStores, sale: StoredReceipt, storno: StoredReceipt): boolean {
  const counted = inCurrencyOf(sale, storno, storno.currency);
  return excessOf(leftOfSale(stores, sale), counted) === undefined;
}

/** Where a printed storno counts from now on. */
interface Move {
  readonly storno: string;
  readonly by: Pick<Command, "id">;
  readonly from?: string;
  readonly to: string;
}

function move({ receipts, reversals }: LinkedStores, { storno, by, from, to }: Move): void {
  if (from !== undefined) receipts.unlink(storno, from);
  reversals.remove(by.id);
  receipts.link(storno, to);
}

/** A printed storno counts against a sale, and on none: that of its paper may be told yet. */
function hold({ reversals }: LinkedStores, sale: StoredReceipt, storno: StoredReceipt): void {
  const { commandId, currency, orgId } = storno;
  if (commandId === null) return;
  const { items } = inCurrencyOf(sale, storno, currency);
  const amountMinor = documentTotalMinor(items);
  reversals.reserve({
    ...{ commandId, orgId, currency, items, amountMinor },
    originalReceiptId: sale.id,
  });
}

/**
 * True for a reversal that was accepted as one of that sale, by a number that a person misread: the paper that
 * it takes back is another one.
 */
export function isOfMisread(stores: LinkedStores, by: Command, originalReceiptId: string): boolean {
  const sale = stores.receipts.get(by.orgId, originalReceiptId);
  if (by.type !== "print_reversal_receipt" || sale === undefined) return false;
  return isMisread(stores, sale) && numberNamed(by) !== sale.id;
}

/** A storno that counts on a sale, by what its command names. */
interface CountedStorno {
  readonly storno: StoredReceipt;
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
  return receipts.listReversing(orgId, original).flatMap((storno) => {
    const by = storno.commandId === null ? undefined : commands.get(orgId, storno.commandId);
    if (by?.type !== "print_reversal_receipt" || numberNamed(by) === original) return [];
    return all || reversals.of(by.id) === undefined ? { storno, original, by } : [];
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

function numberNamed({ payload }: Command): string {
  return (payload as PrintReversalReceiptPayload).originalReceiptNumber;
}
