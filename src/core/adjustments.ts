/**
 * The discounts and surcharges on a whole document, one after another: each is taken off, or added to,
 * what the VAT groups hold by then, in proportion. What no printer can print has no place in that.
 */

import { AMOUNT_MINOR_MAX } from "./limits.ts";
import { formatMinor } from "./money.ts";
import type { SubtotalModifier } from "./receipt.ts";
import { spread } from "./spread.ts";

/** An adjustment where it stands. */
export interface AdjustmentStep extends SubtotalModifier {
  /** What each group gets of it: magnitudes in minor units, none zero. They add up to it. */
  readonly parts: readonly (readonly [group: string, partMinor: number])[];
  /** What the document comes to with it, in minor units: 0 to `AMOUNT_MINOR_MAX`. */
  readonly sumMinor: number;
}

/** The first adjustment that cannot be made. */
export interface AdjustmentFault {
  /** Which it is, from 0. */
  readonly at: number;
  /** Why, in words. */
  readonly message: string;
}

/** All adjustments of a document, or why it cannot have them. */
export type Adjustments =
  | {
      readonly steps: readonly AdjustmentStep[];
      /** What each group holds behind the last of them, in minor units. */
      readonly totals: ReadonlyMap<string, number>;
      readonly fault?: undefined;
    }
  | { readonly fault: AdjustmentFault };

/**
 * Makes the adjustments in their order.
 * @param totals what the lines hold of each group, in minor units, none negative
 */
export function adjust(
  totals: ReadonlyMap<string, number>,
  modifiers: readonly SubtotalModifier[],
): Adjustments {
  const running = new Map(totals);
  let sumMinor = [...totals.values()].reduce((sum, total) => sum + total, 0);
  const steps: AdjustmentStep[] = [];
  for (const [at, { kind, amountMinor }] of modifiers.entries()) {
    const message = faultOf({ kind, amountMinor }, sumMinor);
    if (message !== undefined) return { fault: { at, message } };
    const sign = kind === "discount" ? -1 : 1;
    const parts = partsOf(amountMinor, running);
    for (const [group, part] of parts) running.set(group, (running.get(group) ?? 0) + sign * part);
    sumMinor += sign * amountMinor;
    steps.push({ kind, amountMinor, parts, sumMinor });
  }
  return { steps, totals: running };
}

/** What each group gets of an amount, where it gets something. */
function partsOf(amountMinor: number, totals: ReadonlyMap<string, number>) {
  const parts = spread(amountMinor, [...totals.values()]);
  return [...totals.keys()]
    .map((group, at) => [group, parts[at] ?? 0] as const)
    .filter(([, partMinor]) => partMinor > 0);
}

/** @param sumMinor what stands before it */
function faultOf({ kind, amountMinor }: SubtotalModifier, sumMinor: number): string | undefined {
  const what = `The ${kind} of ${formatMinor(amountMinor)}`;
  const sum = formatMinor(sumMinor);
  // It has no VAT group then: nothing is sold that it could be a part of.
  if (sumMinor === 0) return `${what} is on nothing: what stands before it comes to ${sum}`;
  if (kind === "discount") {
    if (amountMinor <= sumMinor) return undefined;
    return `${what} is more than the ${sum} that it is taken off`;
  }
  // Reports add documents up: one that is beyond any amount would spoil every sum it is in.
  if (sumMinor + amountMinor <= AMOUNT_MINOR_MAX) return undefined;
  return `${what} on ${sum} comes to more than ${formatMinor(AMOUNT_MINOR_MAX)}`;
}
