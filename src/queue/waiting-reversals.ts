/**
 * Reversals of a sale that nobody knew when they were accepted count against it from their turn on, or
 * never where they went out before. Until they have ended, no other takes the sale back.
 */

import { paperNumbers } from "#core/command/settled.ts";
import type { PrintReversalReceiptPayload } from "#core/command/types/print-reversal-receipt.ts";
import { ApiError } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { saleNumberForm } from "#core/unique-sale-number.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import { isMisread, knownNumbers, type NumberProofs } from "#db/stores/proven-number.ts";

type WaitingStores = NumberProofs & Pick<Stores, "receipts" | "reversals">;

/** One that is to be accepted, or at its turn. */
export interface AskedReversal {
  readonly command: Pick<NewCommand, "id" | "orgId">;
  readonly original: StoredReceipt;
  /** It counts already: of others only those matter that are out. Two that wait would refuse each other. */
  readonly isCounted?: boolean;
  /** Whether a command means that sale, as far as is known by now. */
  readonly isMeantBy: (command: NewCommand) => boolean;
}

/**
 * Why a command does not take a sale back: another one, accepted before it or out already, may do so, and is
 * not counted. Undefined where there is none.
 */
export function earlierFault(
  stores: WaitingStores,
  { command, original, isCounted = false, isMeantBy }: AskedReversal,
): ApiError | undefined {
  const { orgId } = command;
  const others = uncounted(stores, orgId).filter((id) => id !== command.id);
  if (others.length === 0) return undefined;
  const own = stores.commands.get(orgId, command.id)?.seq ?? Number.POSITIVE_INFINITY;
  const mayMean = namingOf(stores, original);
  for (const id of others) {
    const other = stores.commands.get(orgId, id);
    if (other === undefined || !mayMean(other)) continue;
    // One that was accepted later may be out already, over another printer.
    const isFirst = other.status !== "pending" || (!isCounted && other.seq < own);
    if (isFirst && isMeantBy(other)) {
      return new ApiError("UNPROCESSABLE_ENTITY", words(id, original));
    }
  }
  return undefined;
}

/**
 * Reversals that may still be printed, or may have been, and count against no sale, or against one whose
 * number was misread. Any printer of the organization may take back what another one sold.
 */
function uncounted(stores: WaitingStores, orgId: string): readonly string[] {
  const { commands, outcomeHolds } = stores;
  const unfinished = commands
    .listUnfinished()
    .filter((one) => one.orgId === orgId && one.type === "print_reversal_receipt")
    .map(({ id }) => id);
  const doubtful = outcomeHolds
    .listOpen()
    .filter((hold) => hold.orgId === orgId)
    .map(({ commandId }) => commandId)
    .filter((id) => commands.get(orgId, id)?.type === "print_reversal_receipt");
  return [...unfinished, ...doubtful].filter((id) => !isCountedRightly(stores, orgId, id));
}

function isCountedRightly(stores: WaitingStores, orgId: string, commandId: string): boolean {
  const { originalReceiptId } = stores.reversals.of(commandId) ?? {};
  if (originalReceiptId === undefined) return false;
  const sale = stores.receipts.get(orgId, originalReceiptId);
  return sale === undefined || !isMisread(stores, sale);
}

/**
 * Makes what tells, without a search, that a reversal does not mean a sale: it names none of its numbers. Of
 * what it does not rule out only the search knows: see db/stores/reversed-sale.ts.
 */
export function namingOf(
  stores: NumberProofs & Pick<Stores, "receipts">,
  sale: StoredReceipt,
): (reversal: Pick<NewCommand, "payload" | "simulated">) => boolean {
  const { id, orgId, simulated } = sale;
  // As it is looked for: what takes it back may have been given it with the numbers on its paper.
  const stored = stores.receipts.get(orgId, id) ?? sale;
  const numbers = [
    ...(isMisread(stores, stored) ? [] : [sale, stored]),
    knownNumbers(stores, stored),
  ]
    .flatMap(({ fiscalId, receiptNumber }) => [fiscalId, receiptNumber])
    .flatMap((number) => (number === null ? [] : ofPaper(number)));
  const names = new Set([id, ...numbers]);
  // By that one is meant whose number nobody knows.
  const own = stored.fiscalId === null ? saleNumberForm(stored.uniqueSaleNumber) : null;
  return (reversal) => {
    const { originalReceiptNumber, uniqueSaleNumber: unique } =
      reversal.payload as PrintReversalReceiptPayload;
    if (reversal.simulated !== simulated) return false;
    if (own !== null && saleNumberForm(unique) === own) return true;
    return names.has(originalReceiptNumber) || names.has(ofPaper(originalReceiptNumber));
  };
}

/** In all writings, and of all days, one. */
function ofPaper(number: string): string {
  return paperNumbers(number).receiptNumber;
}

function words(id: string, sale: StoredReceipt): string {
  return (
    `Command ${id} takes back receipt ${sale.id} already, which was not known when that was accepted: ` +
    "ask again once it has ended, or cancel it"
  );
}
