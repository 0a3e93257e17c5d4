/** Sales of a currency that the euro has replaced, and what takes them back in euro. */

import { inEuroCents, isReplacedBy, leastOfEuro } from "./euro.ts";
import type { Payment, ReceiptItem, SubtotalModifier } from "./receipt.ts";
import type { StoredReceipt } from "./receipt-record.ts";
import { documentTotalMinor } from "./receipt-total.ts";
import { spreadOverGroups } from "./vat-spread.ts";

/** What has amounts in one currency. */
interface Reckoned {
  readonly items: readonly ReceiptItem[];
  readonly subtotalModifiers?: readonly SubtotalModifier[];
  readonly payments?: readonly Payment[];
}

/** What a sale comes to once each of its prices is converted by itself, as tills do it. Cents. */
export function totalInEuro({ items, subtotalModifiers, currency }: StoredReceipt): number {
  const cents = (amountMinor: number) => inEuroCents(amountMinor, currency);
  return documentTotalMinor(
    items.map((item) => ({ ...item, priceMinor: cents(item.priceMinor) })),
    subtotalModifiers.map((one) => ({ ...one, amountMinor: cents(one.amountMinor) })),
  );
}

/**
 * What takes a sale back, as it counts against that: in the sale's own currency.
 * @param currency its own: that of the sale, or the euro where that has replaced it
 */
export function inCurrencyOf<D extends Reckoned>(
  sale: Pick<StoredReceipt, "currency">,
  document: D,
  currency: string,
): D {
  if (!isReplacedBy(sale.currency, currency)) return document;
  const least = (cents: number) => leastOfEuro(cents, sale.currency);
  /** A discount counts as the most that it can have been: what is left is the least then. */
  const modifierOf = (one: SubtotalModifier): SubtotalModifier => ({
    ...one,
    amountMinor: one.kind === "discount" ? least(one.amountMinor + 1) - 1 : least(one.amountMinor),
  });
  const subtotalModifiers = document.subtotalModifiers?.map(modifierOf);
  const items = document.items.map((item) => ({ ...item, priceMinor: least(item.priceMinor) }));
  const totalMinor = documentTotalMinor(items, subtotalModifiers);
  return {
    ...document,
    items,
    ...(subtotalModifiers && { subtotalModifiers }),
    ...(document.payments && { payments: sharesOf(document.payments, totalMinor) }),
  };
}

/**
 * Tenders that come to another sum, each with its part of it: rounded, sums differ from their lines.
 * @param totalMinor of another currency than that of the tenders
 */
export function sharesOf(payments: readonly Payment[], totalMinor: number): readonly Payment[] {
  const given = new Map(payments.map(({ amountMinor }, at) => [String(at), amountMinor]));
  const shares = new Map(spreadOverGroups(totalMinor, given));
  return payments.map((one, at) => ({ ...one, amountMinor: shares.get(String(at)) ?? 0 }));
}
