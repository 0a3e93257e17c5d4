/** Sums of a receipt, as a device makes them. */

import { BALANCE_TOLERANCE_MINOR } from "./limits.ts";
import { lineTotalExact, lineTotalMinor } from "./money.ts";
import type { Payment, ReceiptItem, SubtotalModifier } from "./receipt.ts";

/** The document's total in minor units: each line rounded half up, then the adjustments. */
export function documentTotalMinor(
  items: readonly ReceiptItem[],
  modifiers: readonly SubtotalModifier[] = [],
): number {
  const lines = items.reduce((sum, i) => sum + lineTotalMinor(i.priceMinor, i.quantityMilli), 0);
  return lines + modifiersMinor(modifiers);
}

/** The sum of the tenders in minor units. */
export function paymentsTotalMinor(payments: readonly Payment[]): number {
  return payments.reduce((sum, p) => sum + p.amountMinor, 0);
}

/**
 * The balance rule: items and adjustments equal the payments within 0.01. The sum of the lines may
 * be taken before or after each is rounded, because tills do either and both are within the rule.
 */
export function isBalanced(
  items: readonly ReceiptItem[],
  modifiers: readonly SubtotalModifier[],
  payments: readonly Payment[],
): boolean {
  const paid = paymentsTotalMinor(payments);
  const rounded = documentTotalMinor(items, modifiers);
  if (Math.abs(rounded - paid) <= BALANCE_TOLERANCE_MINOR) return true;
  const exact = items.reduce((sum, i) => sum + lineTotalExact(i.priceMinor, i.quantityMilli), 0n);
  const difference = exact + BigInt(modifiersMinor(modifiers) - paid) * 1000n;
  const magnitude = difference < 0n ? -difference : difference;
  return magnitude <= BigInt(BALANCE_TOLERANCE_MINOR) * 1000n;
}

function modifiersMinor(modifiers: readonly SubtotalModifier[]): number {
  return modifiers.reduce(
    (sum, m) => sum + (m.kind === "surcharge" ? m.amountMinor : -m.amountMinor),
    0,
  );
}
