/** What is left of a stored sale. */

import type { Command } from "#core/command/command.ts";
import { toReceiptItems } from "#core/command/document-fields.ts";
import {
  type PrintReversalReceiptPayload,
  toReversalPayment,
} from "#core/command/types/print-reversal-receipt.ts";
import { inEuroCents, isReplacedBy } from "#core/euro.ts";
import {
  type Payment,
  REVERSAL_REASONS,
  type ReceiptItem,
  type ReversalReason,
} from "#core/receipt.ts";
import { type CountedDocument, type CountedItem, type Left, leftOf } from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { balancedPayments, documentTotalMinor } from "#core/receipt-total.ts";
import { inCurrencyOf, sharesOf } from "#core/sale-in-euro.ts";
import type { Stores } from "./index.ts";
import type { Reversal } from "./reversals.ts";

/**
 * What may still be reversed of a sale: neither reversed, nor reserved for that. What is trained with
 * takes nothing from a real sale, as older gateways let it.
 * @param besides the id of a command whose own reservation is left out
 */
export function leftOfSale(
  { commands, receipts, reversals }: Pick<Stores, "commands" | "receipts" | "reversals">,
  sale: StoredReceipt,
  besides?: string,
): Left {
  /** A command is kept for years; of what no command printed nobody said why. */
  const commandOf = (commandId: string | null) =>
    commandId === null ? undefined : commands.get(sale.orgId, commandId);
  const isOfItsKind = (by: Pick<StoredReceipt, "simulated"> | undefined) =>
    by === undefined || by.simulated === sale.simulated;
  /** A printed receipt does not say of which lines it is: what was reserved for it does. */
  const withLines = (items: readonly ReceiptItem[], commandId: string | null) => {
    const reserved = commandId === null ? undefined : reversals.of(commandId)?.items;
    return items.map((item, index): CountedItem => {
      const at = reserved?.[index]?.at;
      return at === undefined ? item : { ...item, at };
    });
  };
  const isItsMoney = ({ currency }: StoredReceipt) =>
    currency === sale.currency || isReplacedBy(sale.currency, currency);
  const printed = receipts
    .listReversing(sale.orgId, sale.id)
    .filter((by) => isOfItsKind(by) && isItsMoney(by))
    .map((by) => inCurrencyOf(sale, by, by.currency));
  return leftOf(sale, [
    ...printed
      .toSorted((one, other) => one.createdAt - other.createdAt)
      .map((receipt) => ({
        ...receipt,
        items: withLines(receipt.items, receipt.commandId),
        reason: reasonOf(commandOf(receipt.commandId)?.payload as Asked),
      })),
    ...reversals
      .listStanding(sale.orgId, sale.id)
      .filter(({ commandId }) => commandId !== besides && isOfItsKind(commandOf(commandId)))
      .map((reversal) => reserved(sale, reversal, commandOf(reversal.commandId))),
  ]);
}

/** A payload that was checked when its command was accepted: of a reversal, or of a void. */
type Asked =
  | (Partial<Pick<PrintReversalReceiptPayload, "items" | "payments">> & {
      readonly reason?: unknown;
      readonly receiptId?: unknown;
    })
  | undefined;

/** What a command has reserved: its lines in the currency of the sale, as they were taken from it. */
function reserved(
  sale: StoredReceipt,
  reversal: Reversal,
  command: Pick<Command, "currency" | "payload"> | undefined,
): CountedDocument {
  const payload = command?.payload as Asked;
  const { items, amountMinor } = reversal;
  const pricedMinor = payload?.items && documentTotalMinor(toReceiptItems(payload.items));
  const paidIn = reversal.currency ?? command?.currency ?? null;
  // Older versions kept neither: sums that are not those that it has taken from the sale are in euro.
  const isInEuro =
    isReplacedBy(sale.currency, "EUR") &&
    (paidIn === null ? (pricedMinor ?? amountMinor) !== amountMinor : paidIn !== sale.currency);
  const given = paymentsOf(payload, reversal, sale);
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
function paymentsOf(
  payload: Asked,
  { amountMinor }: Reversal,
  sale: StoredReceipt,
): readonly Payment[] {
  if (payload?.receiptId !== undefined) return sale.payments;
  return payload?.payments?.map(toReversalPayment) ?? [{ method: "cash", amountMinor }];
}
