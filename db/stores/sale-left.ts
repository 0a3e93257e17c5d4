/** What is left of a stored sale. */

import type { Command } from "#core/command/command.ts";
import { toReceiptItems } from "#core/command/document-fields.ts";
import {
  type PrintReversalReceiptPayload,
  toReversalPayment,
} from "#core/command/types/print-reversal-receipt.ts";
import { inEuroCents, isReplacedBy } from "#core/euro.ts";
import { type Payment, REVERSAL_REASONS, type ReversalReason } from "#core/receipt.ts";
import { type CountedDocument, type CountedItem, type Left, leftOf } from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { balancedPayments, documentTotalMinor } from "#core/receipt-total.ts";
import { inCurrencyOf, sharesOf } from "#core/sale-in-euro.ts";
import type { Reversal } from "./reversals.ts";
import type { Judged, ReversedStores } from "./reversed-sale.ts";
import { orderOf, standingAgainst } from "./standing.ts";

/** What does not count of what may be of a sale. */
export interface LeftOut {
  /** Commands by id: what is asked about is one of them. */
  readonly besides?: ReadonlySet<string>;
  /** Those that wait and were accepted behind the command with this `seq` yield to it. */
  readonly waitingBehind?: number;
  /** Of what has not been printed all that was not accepted for this sale. */
  readonly isOnlyPossible?: true;
  readonly judged?: Judged;
}

/**
 * What may still be reversed of a sale: neither reversed, nor about to be. What is trained with takes
 * nothing from a real sale, as older gateways let it.
 */
export function leftOfSale(stores: ReversedStores, sale: StoredReceipt, out: LeftOut = {}): Left {
  const { receipts, reversals } = stores;
  const told = receipts
    .listReversing(sale.orgId, sale.id)
    .filter(({ commandId }) => commandId === null || reversals.of(commandId) === undefined)
    .map((receipt): Taking => ({ receipt }));
  const standing = standingAgainst(stores, sale, out.judged)
    .map((reversal): Taking => ({ reversal, receipt: receipts.ofCommand(reversal.commandId) }))
    .filter((taking) => !isLeftOut(stores, sale, { taking, out }));
  return leftOf(sale, countedOf(stores, sale, [...told, ...standing]));
}

/** A document that takes back what may be that sale, or a command that is to print one. */
interface Taking {
  readonly reversal?: Reversal;
  readonly receipt?: StoredReceipt | undefined;
}

function isLeftOut(
  { commands }: ReversedStores,
  { id, orgId }: StoredReceipt,
  { taking, out }: { readonly taking: Taking; readonly out: LeftOut },
): boolean {
  const { reversal, receipt } = taking;
  if (reversal === undefined) return false;
  const { acceptedFor, commandId } = reversal;
  if (out.besides?.has(commandId)) return true;
  if (receipt !== undefined) return false;
  if (out.isOnlyPossible && acceptedFor !== id) return true;
  const { waitingBehind = Number.POSITIVE_INFINITY } = out;
  const command = commands.get(orgId, commandId);
  return command?.status === "pending" && command.seq > waitingBehind;
}

/** As they count against the sale: what was printed first, then what is to be. */
function countedOf(
  stores: ReversedStores,
  sale: StoredReceipt,
  takings: readonly Taking[],
): readonly CountedDocument[] {
  const isOfItsKind = (by: Pick<StoredReceipt, "simulated"> | undefined) =>
    by === undefined || by.simulated === sale.simulated;
  const isItsMoney = ({ currency }: StoredReceipt) =>
    currency === sale.currency || isReplacedBy(sale.currency, currency);
  /** A command is kept for years; of what no command printed nobody said why. */
  const commandOf = (commandId: string | null) =>
    commandId === null ? undefined : stores.commands.get(sale.orgId, commandId);
  const printed = takings
    .flatMap(({ receipt, reversal }) => (receipt ? { receipt, reversal } : []))
    .filter(({ receipt }) => isOfItsKind(receipt) && isItsMoney(receipt))
    .toSorted((one, other) => one.receipt.createdAt - other.receipt.createdAt)
    .map(({ receipt, reversal }) => ({
      ...inCurrencyOf(sale, withLines(sale, receipt, reversal), receipt.currency),
      reason: reasonOf(commandOf(receipt.commandId)?.payload as Asked),
    }));
  const waiting = takings.flatMap(({ receipt, reversal }) => {
    const command = receipt || !reversal ? undefined : commandOf(reversal.commandId);
    if (receipt || !reversal || !isOfItsKind(command)) return [];
    return reserved(stores, sale, { reversal, command }) ?? [];
  });
  return [...printed, ...waiting];
}

/** A printed receipt does not say of which lines it is: what was asked for does. */
function withLines(
  sale: StoredReceipt,
  receipt: StoredReceipt,
  reversal: Reversal | undefined,
): StoredReceipt {
  const asked = reversal?.acceptedFor === sale.id ? reversal.items : null;
  const items = receipt.items.map((item, index): CountedItem => {
    const at = asked?.[index]?.at;
    return at === undefined ? item : { ...item, at };
  });
  return { ...receipt, items };
}

/** A payload that was checked when its command was accepted: of a reversal, or of a void. */
type Asked =
  | (Partial<Pick<PrintReversalReceiptPayload, "items" | "payments">> & {
      readonly reason?: unknown;
      readonly receiptId?: unknown;
    })
  | undefined;

type AskedBy = Pick<Command, "currency" | "payload"> | undefined;

/** What a command takes from the sale: its lines in the currency of the sale. */
function reserved(
  stores: ReversedStores,
  sale: StoredReceipt,
  { reversal, command }: { readonly reversal: Reversal; readonly command: Command | undefined },
): CountedDocument | undefined {
  const { acceptedFor, amountMinor, items } = reversal;
  if (acceptedFor === sale.id && items !== null && amountMinor !== null) {
    return ofAccepted(sale, { ...reversal, amountMinor, items }, command);
  }
  const document = command && orderOf(stores, reversal, command);
  if (document === undefined) return undefined;
  const shop = stores.organizations.get(sale.orgId)?.currency ?? "";
  return inCurrencyOf(sale, document, reversal.currency ?? command?.currency ?? shop);
}

/** A reversal, with what it was accepted for. */
type Accepted = Reversal & {
  readonly items: readonly CountedItem[];
  readonly amountMinor: number;
};

/** As it was taken from the sale that it was accepted for. */
function ofAccepted(sale: StoredReceipt, reversal: Accepted, command: AskedBy): CountedDocument {
  const payload = command?.payload as Asked;
  const { items, amountMinor } = reversal;
  const pricedMinor = payload?.items && documentTotalMinor(toReceiptItems(payload.items));
  const paidIn = reversal.currency ?? command?.currency ?? null;
  // Older versions kept neither: sums that are not those that it has taken from the sale are in euro.
  const isInEuro =
    isReplacedBy(sale.currency, "EUR") &&
    (paidIn === null ? (pricedMinor ?? amountMinor) !== amountMinor : paidIn !== sale.currency);
  const given = paymentsOf(payload, amountMinor, sale);
  const payments = isInEuro ? sharesOf(given, amountMinor) : given;
  return {
    ...{ items, reason: reasonOf(payload) },
    // As they stand on paper once it is printed.
    payments: balancedPayments(payments, amountMinor) ?? payments,
    euroMinor: isInEuro ? (pricedMinor ?? inEuroCents(amountMinor, sale.currency)) : undefined,
  };
}

function reasonOf(payload: Asked): ReversalReason | undefined {
  return REVERSAL_REASONS.find((known) => known === payload?.reason);
}

/** How a command pays back: a void as it was paid, a reversal that names no payments in cash. */
function paymentsOf(payload: Asked, amountMinor: number, sale: StoredReceipt): readonly Payment[] {
  if (payload?.receiptId !== undefined) return sale.payments;
  return payload?.payments?.map(toReversalPayment) ?? [{ method: "cash", amountMinor }];
}
