/** What is left of a sale once parts of it were reversed. */

import { formatMilli, formatMinor } from "./money.ts";
import type { Payment, ReceiptItem, SubtotalModifier } from "./receipt.ts";
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

/** Why that is more than what is left, in words; undefined when it is not. */
export function excessOf(left: Left, asked: CountedDocument): string | undefined {
  const lacking = asked.items.find(
    (item) =>
      left.lines.some((line) => isSameItem(line, item)) &&
      quantityOf(asked.items, item) > quantityOf(left.lines, item),
  );
  if (lacking !== undefined) {
    const rest = `${formatMilli(quantityOf(left.lines, lacking))} of "${lacking.name}"`;
    return `Only ${rest} at ${formatMinor(lacking.priceMinor)} is left of the sale`;
  }
  if (asked.amountMinor <= left.amountMinor) return undefined;
  const rest = formatMinor(Math.max(left.amountMinor, 0));
  return `${formatMinor(asked.amountMinor)} is more than the ${rest} that is left of the sale`;
}

function quantityOf(items: readonly ReceiptItem[], item: ReceiptItem): number {
  return items
    .filter((one) => isSameItem(one, item))
    .reduce((sum, one) => sum + one.quantityMilli, 0);
}

function isSameItem(one: ReceiptItem, other: ReceiptItem): boolean {
  return (
    one.name === other.name &&
    one.priceMinor === other.priceMinor &&
    one.vatGroup === other.vatGroup
  );
}
