/** What each line of a receipt comes to, with its part of what was taken off or added to the whole. */

import { lineTotalMinor } from "./money.ts";
import type { ReceiptItem, SubtotalModifier } from "./receipt.ts";
import { spreadOverGroups } from "./vat-spread.ts";

/**
 * What each line gets of the adjustments of the whole receipt, discounts negative: each adjustment is
 * spread over the VAT groups in proportion, as the gateway's own books do it, and what becomes of a
 * group over its lines, so that the tax is that of the whole receipt reduced.
 * @returns minor units by line; undefined where the discounts are more than there is of a group
 */
export function partsOfLines(
  items: readonly ReceiptItem[],
  modifiers: readonly SubtotalModifier[],
): readonly number[] | undefined {
  const worth = items.map((item) => lineTotalMinor(item.priceMinor, item.quantityMilli));
  const parts = worth.map(() => 0);
  if (modifiers.length === 0) return parts;
  const linesOf = Map.groupBy(items.keys(), (index) => items[index]?.vatGroup ?? "");
  const sumOf = (lines: readonly number[]) => lines.reduce((sum, at) => sum + (worth[at] ?? 0), 0);
  const before = new Map([...linesOf].map(([group, lines]) => [group, sumOf(lines)]));
  const totals = new Map<string, number>(before);
  for (const { kind, amountMinor } of modifiers) {
    const sign = kind === "discount" ? -1 : 1;
    const spread = spreadOverGroups(amountMinor, totals);
    for (const [group, part] of spread) totals.set(group, (totals.get(group) ?? 0) + sign * part);
    if ([...totals.values()].some((total) => total < 0)) return undefined;
  }
  for (const [group, lines] of linesOf) {
    const net = (totals.get(group) ?? 0) - (before.get(group) ?? 0);
    const shares = new Map(lines.map((at) => [String(at), worth[at] ?? 0]));
    for (const [at, part] of spreadOverGroups(Math.abs(net), shares)) {
      parts[Number(at)] = Math.sign(net) * part;
    }
  }
  return parts;
}

/** What each line was paid with, in minor units; all of them come to the receipt's total. */
export function lineWorths(
  items: readonly ReceiptItem[],
  modifiers: readonly SubtotalModifier[] = [],
): readonly number[] {
  const parts = partsOfLines(items, modifiers);
  return items.map(
    (item, at) => lineTotalMinor(item.priceMinor, item.quantityMilli) + (parts?.[at] ?? 0),
  );
}

/**
 * What a part of a line comes to: its share, rounded half up, so that the last part is what the
 * others have left.
 * @param quantityMilli of the part, up to that of the line
 * @returns minor units, never more than the line's
 */
export function shareOf(
  line: { readonly quantityMilli: number; readonly amountMinor: number },
  quantityMilli: number,
): number {
  if (quantityMilli >= line.quantityMilli) return line.amountMinor;
  // The product passes 2^53 at the largest amounts.
  const whole = BigInt(line.quantityMilli);
  const product = BigInt(line.amountMinor) * BigInt(quantityMilli);
  return Number((2n * product + whole) / (2n * whole));
}

/**
 * The lines that a printer makes exactly an amount of, which rounds quantity times price: at the
 * price of the item where that comes to it; else at the one nearest to that, where need be with some
 * of the units a cent dearer than the others.
 * @param amountMinor at least 0
 */
export function linesWorth(item: ReceiptItem, amountMinor: number): readonly ReceiptItem[] {
  const { quantityMilli } = item;
  const low = Number((BigInt(amountMinor) * 1_000n) / BigInt(quantityMilli));
  const price = [item.priceMinor, low, low + 1].find(
    (priceMinor) => lineTotalMinor(priceMinor, quantityMilli) === amountMinor,
  );
  if (price !== undefined) return [{ ...item, priceMinor: price }];
  // Whole units come to whole cents, so each that is dearer adds one to what all come to.
  const dearerMilli = 1_000 * (amountMinor - lineTotalMinor(low, quantityMilli));
  return [
    { ...item, quantityMilli: quantityMilli - dearerMilli, priceMinor: low },
    { ...item, quantityMilli: dearerMilli, priceMinor: low + 1 },
  ];
}
