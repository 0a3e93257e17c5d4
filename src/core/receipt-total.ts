/** Sums of a receipt, as a device makes them. */

import { BALANCE_TOLERANCE_MINOR } from "./limits.ts";
import { formatMinor, lineTotalMinor } from "./money.ts";
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
 * The balance rule: the document's total equals the payments within 0.01.
 * @returns what is wrong, naming both sums; undefined when nothing is
 */
export function balanceFault(
  items: readonly ReceiptItem[],
  modifiers: readonly SubtotalModifier[],
  payments: readonly Payment[],
): string | undefined {
  const total = documentTotalMinor(items, modifiers);
  const paid = paymentsTotalMinor(payments);
  if (Math.abs(total - paid) <= BALANCE_TOLERANCE_MINOR) return undefined;
  const what = modifiers.length === 0 ? "items" : "items and adjustments";
  return `The ${what} come to ${formatMinor(total)}, the payments to ${formatMinor(paid)}`;
}

/**
 * The payments as they are printed: the last one set right by the one minor unit that the balance rule
 * lets pass, and none that is worth nothing then.
 * @returns undefined when they differ by more
 */
export function balancedPayments(
  payments: readonly Payment[],
  totalMinor: number,
): Payment[] | undefined {
  const difference = totalMinor - paymentsTotalMinor(payments);
  const last = payments.at(-1);
  if (!last || Math.abs(difference) > BALANCE_TOLERANCE_MINOR) return undefined;
  const adjusted = { ...last, amountMinor: last.amountMinor + difference };
  return [...payments.slice(0, -1), adjusted].filter(({ amountMinor }) => amountMinor > 0);
}

function modifiersMinor(modifiers: readonly SubtotalModifier[]): number {
  return modifiers.reduce(
    (sum, m) => sum + (m.kind === "surcharge" ? m.amountMinor : -m.amountMinor),
    0,
  );
}
