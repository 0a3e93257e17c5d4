/** Sales of a currency that the euro has replaced, and what takes them back in euro. */

import { inEuroCents, isReplacedBy, leastOfEuro } from "./euro.ts";
import { lineWorths } from "./line-worth.ts";
import type { Payment, ReceiptItem, SubtotalModifier } from "./receipt.ts";
import type { StoredReceipt } from "./receipt-record.ts";
import { documentTotalMinor } from "./receipt-total.ts";
import { spread } from "./spread.ts";

/** What has amounts in one currency. */
interface Reckoned {
  readonly items: readonly ReceiptItem[];
  readonly subtotalModifiers?: readonly SubtotalModifier[];
  readonly payments?: readonly Payment[];
}

/** What is paid back in euro of a sale in another currency, in cents: what it comes to there. */
export interface InEuro {
  readonly euroMinor?: number | undefined;
}

/**
 * What may still go back in euro of a sale: all that it comes to in them, less what went back in them,
 * and less the share of it that went back in its own currency.
 * @param reversed as it counts against the sale, in the sale's own currency
 * @returns cents, at least 0; undefined for a sale of a currency that the euro has not replaced
 */
export function euroLeft(
  sale: Reckoned & { readonly currency?: string },
  reversed: readonly (Reckoned & InEuro)[],
): number | undefined {
  const { currency = "" } = sale;
  if (!isReplacedBy(currency, "EUR")) return undefined;
  const wholeMinor = totalInEuro({ ...sale, currency });
  const soldMinor = documentTotalMinor(sale.items, sale.subtotalModifiers);
  const inOwn = reversed.filter(({ euroMinor }) => euroMinor === undefined);
  const ownMinor = inOwn.reduce(
    (sum, { items, subtotalModifiers }) => sum + documentTotalMinor(items, subtotalModifiers),
    0,
  );
  // The product passes 2^53 at the largest amounts.
  const shareMinor =
    soldMinor === 0 ? 0 : Number((BigInt(wholeMinor) * BigInt(ownMinor)) / BigInt(soldMinor));
  const inEuroMinor = reversed.reduce((sum, { euroMinor = 0 }) => sum + euroMinor, 0);
  return Math.max(0, wholeMinor - shareMinor - inEuroMinor);
}

/**
 * What a sale comes to in cents, once each of its prices is converted by itself, or what each of its
 * lines came to: tills do either, and the greater of both counts.
 */
function totalInEuro(sale: Reckoned & { readonly currency: string }): number {
  const { items, subtotalModifiers = [], currency } = sale;
  const cents = (amountMinor: number) => inEuroCents(amountMinor, currency);
  const byPrice = documentTotalMinor(
    items.map((item) => ({ ...item, priceMinor: cents(item.priceMinor) })),
    subtotalModifiers.map((one) => ({ ...one, amountMinor: cents(one.amountMinor) })),
  );
  const byLine = lineWorths(items, subtotalModifiers).reduce((sum, one) => sum + cents(one), 0);
  return Math.max(byPrice, byLine);
}

/**
 * What takes a sale back, as it counts against that: in the sale's own currency.
 * @param currency its own: that of the sale, or the euro where that has replaced it
 */
export function inCurrencyOf<D extends Reckoned>(
  sale: Pick<StoredReceipt, "currency">,
  document: D,
  currency: string,
): D & InEuro {
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
    euroMinor: documentTotalMinor(document.items, document.subtotalModifiers),
  };
}

/**
 * Tenders that come to another sum, each with its part of it: rounded, sums differ from their lines.
 * @param totalMinor of another currency than that of the tenders
 */
export function sharesOf(payments: readonly Payment[], totalMinor: number): readonly Payment[] {
  const shares = spread(
    totalMinor,
    payments.map(({ amountMinor }) => amountMinor),
  );
  return payments.map((one, at) => ({ ...one, amountMinor: shares[at] ?? 0 }));
}
