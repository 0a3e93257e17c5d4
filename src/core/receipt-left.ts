/** What is left of a sale once parts of it were reversed. */

import { formatMilli, formatMinor } from "./money.ts";
import type { Payment, ReceiptItem, ReversalReason, SubtotalModifier } from "./receipt.ts";
import type { StoredReceipt } from "./receipt-record.ts";
import { documentTotalMinor, paymentsTotalMinor } from "./receipt-total.ts";

/** A sale, or what reverses a part of one. */
export interface CountedDocument {
  readonly items: readonly ReceiptItem[];
  /** Minor units. */
  readonly amountMinor: number;
}

/** What may still be reversed. */
export interface Left extends CountedDocument {
  /** The lines of the sale with what is left of each, which may be nothing. */
  readonly lines: readonly ReceiptItem[];
}

/**
 * What a document counts: the larger one of what its lines come to and what is paid, which may differ
 * by the tolerance of the balance rule.
 */
export function countedAs(document: {
  readonly items: readonly ReceiptItem[];
  readonly subtotalModifiers?: readonly SubtotalModifier[];
  readonly payments: readonly Payment[];
}): CountedDocument {
  const { items, subtotalModifiers, payments } = document;
  const totalMinor = documentTotalMinor(items, subtotalModifiers);
  return { items, amountMinor: Math.max(totalMinor, paymentsTotalMinor(payments)) };
}

/**
 * Takes what was reversed from a sale. Items are told by name, price and VAT group; those that the
 * sale does not have, as one whose price was lowered afterwards, count by their amount alone.
 */
export function leftOf(sale: CountedDocument, reversed: readonly CountedDocument[]): Left {
  const lines = sale.items.map((item) => ({ ...item }));
  for (const item of reversed.flatMap(({ items }) => items)) {
    let quantityMilli = item.quantityMilli;
    for (const line of lines.filter((one) => isSameItem(one, item))) {
      const taken = Math.min(line.quantityMilli, quantityMilli);
      line.quantityMilli -= taken;
      quantityMilli -= taken;
    }
  }
  const amountMinor = reversed.reduce((left, one) => left - one.amountMinor, sale.amountMinor);
  return { lines, items: lines.filter(({ quantityMilli }) => quantityMilli > 0), amountMinor };
}

/** A storno, as far as its sale limits it. */
export interface AskedStorno extends CountedDocument {
  readonly reason: ReversalReason;
}

/** Why a receipt does not allow a storno, in words; undefined when it does. */
export function stornoFault(
  sale: StoredReceipt,
  left: Left,
  asked: AskedStorno,
): string | undefined {
  if (sale.type !== "sale") return `The receipt is a ${sale.type}: only a sale is reversed`;
  // What lowers a price afterwards is no item of the sale; a surcharge has to be paid back with one.
  const hasOwnItems =
    asked.reason === "tax-base-reduction" ||
    sale.subtotalModifiers.some(({ kind }) => kind === "surcharge");
  return (hasOwnItems ? undefined : unsold(sale, left, asked)) ?? excessOf(left, asked);
}

/** The first item that the sale does not have, or not as often, or not at that price. */
function unsold(sale: StoredReceipt, left: Left, { items }: CountedDocument): string | undefined {
  for (const item of items) {
    const { name, priceMinor } = item;
    const sold = sale.items.filter((line) => isSameGoods(line, item));
    const [first] = sold;
    if (first === undefined) {
      const [other] = sale.items.filter((line) => line.name === name);
      return other ? `"${name}" was sold in ${other.vatGroup}` : `"${name}" was not sold`;
    }
    const dearest = sold.reduce(
      (one, line) => (line.priceMinor > one.priceMinor ? line : one),
      first,
    );
    if (priceMinor > dearest.priceMinor) {
      return `"${name}" was sold at ${formatMinor(dearest.priceMinor)}`;
    }
    const quantity = quantityOf(left.lines, item, isSameGoods);
    if (quantityOf(items, item, isSameGoods) > quantity) return onlyLeft(quantity, `"${name}"`);
  }
  return undefined;
}

/** Why nobody but a person can say what a storno of an adjusted sale has, in words. */
export const ADJUSTED_SALE =
  "a discount or surcharge on its subtotal cannot be repeated on a storno";

/** Why that is more than what is left, in words; undefined when it is not. */
export function excessOf(left: Left, asked: CountedDocument): string | undefined {
  const lacking = asked.items.find(
    (item) =>
      left.lines.some((line) => isSameItem(line, item)) &&
      quantityOf(asked.items, item) > quantityOf(left.lines, item),
  );
  if (lacking !== undefined) {
    const what = `"${lacking.name}" at ${formatMinor(lacking.priceMinor)}`;
    return onlyLeft(quantityOf(left.lines, lacking), what);
  }
  if (asked.amountMinor <= left.amountMinor) return undefined;
  const rest = formatMinor(Math.max(left.amountMinor, 0));
  return `${formatMinor(asked.amountMinor)} is more than the ${rest} that is left of the sale`;
}

function onlyLeft(quantityMilli: number, what: string): string {
  return quantityMilli > 0
    ? `Only ${formatMilli(quantityMilli)} of ${what} is left of the sale`
    : `Nothing is left of ${what}: it is reversed already, or about to be`;
}

/** How much there is of an item, and of all that is the same as it. */
function quantityOf(
  items: readonly ReceiptItem[],
  item: ReceiptItem,
  isSame: typeof isSameItem = isSameItem,
): number {
  return items.filter((one) => isSame(one, item)).reduce((sum, one) => sum + one.quantityMilli, 0);
}

function isSameItem(one: ReceiptItem, other: ReceiptItem): boolean {
  return isSameGoods(one, other) && one.priceMinor === other.priceMinor;
}

/** The same, at whatever price. */
function isSameGoods(one: ReceiptItem, other: ReceiptItem): boolean {
  return one.name === other.name && one.vatGroup === other.vatGroup;
}
