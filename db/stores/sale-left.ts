/** What is left of a stored sale. */

import {
  type PrintReversalReceiptPayload,
  toReversalPayment,
} from "#core/command/types/print-reversal-receipt.ts";
import { isReplacedBy } from "#core/euro.ts";
import {
  type Payment,
  REVERSAL_REASONS,
  type ReceiptItem,
  type ReversalReason,
} from "#core/receipt.ts";
import { type CountedItem, type Left, leftOf } from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
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
  const payloadOf = (commandId: string | null) => commandOf(commandId)?.payload as Asked;
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
        reason: reasonOf(payloadOf(receipt.commandId)),
      })),
    ...reversals
      .listStanding(sale.orgId, sale.id)
      .filter(({ commandId }) => commandId !== besides && isOfItsKind(commandOf(commandId)))
      .map((reversal) => {
        const payload = payloadOf(reversal.commandId);
        const payments = paymentsOf(payload, reversal, sale);
        return { ...reversal, reason: reasonOf(payload), payments };
      }),
  ]);
}

/** A payload that was checked when its command was accepted: of a reversal, or of a void. */
type Asked =
  | (Pick<PrintReversalReceiptPayload, "payments"> & {
      readonly reason?: unknown;
      readonly receiptId?: unknown;
    })
  | undefined;

function reasonOf(payload: Asked): ReversalReason | undefined {
  return REVERSAL_REASONS.find((known) => known === payload?.reason);
}

/** How a command pays back: a void as it was paid, a reversal that names no payments in cash. */
function paymentsOf(
  payload: Asked,
  { amountMinor, currency }: Reversal,
  sale: StoredReceipt,
): readonly Payment[] {
  if (payload?.receiptId !== undefined) return sale.payments;
  const given = payload?.payments?.map(toReversalPayment);
  if (given === undefined) return [{ method: "cash", amountMinor }];
  // Older versions did not keep it; theirs may be in euro.
  const isItsMoney =
    currency === null ? !isReplacedBy(sale.currency, "EUR") : currency === sale.currency;
  return isItsMoney ? given : sharesOf(given, amountMinor);
}
