/** What each line of a receipt comes to, with its part of what was taken off or added to the whole. */

import { type AdjustmentFault, adjust } from "./adjustments.ts";
import { lineTotalMinor } from "./money.ts";
import type { ReceiptItem, SubtotalModifier } from "./receipt.ts";
import { documentTotalMinor } from "./receipt-total.ts";
import { spread } from "./spread.ts";

/** What each line of a document gets of its adjustments, or why it cannot have them. */
export type LineParts =
  | {
      /** By line, in minor units; discounts are negative. */
      readonly parts: readonly number[];
      readonly fault?: undefined;
    }
  | { readonly fault: AdjustmentFault };

/**
 * Spreads the adjustments of a whole document over its lines: what becomes of a VAT group by them goes
 * to its lines in proportion, so that the tax is that of the whole document reduced.
 */
export function spreadOverLines(
  items: readonly ReceiptItem[],
  modifiers: readonly SubtotalModifier[],
): LineParts {
  const worth = items.map(fullWorth);
  const parts = worth.map(() => 0);
  if (modifiers.length === 0) return { parts };
  const before = fullWorthOfGroups(items);
  const adjusted = adjust(before, modifiers);
  if (adjusted.fault) return adjusted;
  for (const [group, lines] of Map.groupBy(items.keys(), (at) => items[at]?.vatGroup ?? "")) {
    const net = (adjusted.totals.get(group) ?? 0) - (before.get(group) ?? 0);
    const shares = spread(
      Math.abs(net),
      lines.map((at) => worth[at] ?? 0),
    );
    for (const [place, at] of lines.entries()) parts[at] = Math.sign(net) * (shares[place] ?? 0);
  }
  return { parts };
}

/**
 * What each line was paid with, in minor units; all of them come to the document's total. Older
 * versions stored documents with adjustments that cannot be made: of those each line has its share of
 * the total, or the first one all of it where they come to nothing.
 */
export function lineWorths(
  items: readonly ReceiptItem[],
  modifiers: readonly SubtotalModifier[] = [],
): readonly number[] {
  const worth = items.map(fullWorth);
  const adjusted = spreadOverLines(items, modifiers);
  if (!adjusted.fault) return worth.map((full, at) => full + (adjusted.parts[at] ?? 0));
  const totalMinor = Math.max(0, documentTotalMinor(items, modifiers));
  const hasWorth = worth.some((full) => full > 0);
  return spread(totalMinor, hasWorth ? worth : worth.map((_, at) => Number(at === 0)));
}

/** What a document holds of each VAT group, in minor units: all of it comes to its total. */
export function groupWorths(
  items: readonly ReceiptItem[],
  modifiers: readonly SubtotalModifier[] = [],
): ReadonlyMap<string, number> {
  const full = fullWorthOfGroups(items);
  if (modifiers.length === 0) return full;
  const adjusted = adjust(full, modifiers);
  return adjusted.fault ? sumByGroup(items, lineWorths(items, modifiers)) : adjusted.totals;
}

function fullWorth({ priceMinor, quantityMilli }: ReceiptItem): number {
  return lineTotalMinor(priceMinor, quantityMilli);
}

function fullWorthOfGroups(items: readonly ReceiptItem[]): ReadonlyMap<string, number> {
  return sumByGroup(items, items.map(fullWorth));
}

function sumByGroup(items: readonly ReceiptItem[], worths: readonly number[]) {
  const groups = new Map<string, number>();
  for (const [at, { vatGroup }] of items.entries()) {
    groups.set(vatGroup, (groups.get(vatGroup) ?? 0) + (worths[at] ?? 0));
  }
  return groups;
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
