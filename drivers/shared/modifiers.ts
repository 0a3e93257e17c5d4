/** Adjustments of a receipt's sum: which drivers take them stands in the contract. */

import { type AdjustmentStep, adjust } from "#core/adjustments.ts";
import { FiscalError } from "#core/errors.ts";
import type { FiscalDocument, SubtotalModifier } from "#core/receipt.ts";
import { unadjustable } from "./document-faults.ts";

/** The adjustments of a document, in order; a storno has none. */
export function modifiersOf(document: FiscalDocument): readonly SubtotalModifier[] {
  return document.kind === "sale" ? document.modifiers : [];
}

/**
 * The adjustments of a document, each with its part of every VAT group.
 * @param totals what the lines hold of each group, in minor units
 * @throws FiscalError E402 for one that cannot be made
 */
export function adjustmentsOf(
  document: FiscalDocument,
  totals: ReadonlyMap<string, number>,
): readonly AdjustmentStep[] {
  const adjusted = adjust(totals, modifiersOf(document));
  if (adjusted.fault) throw unadjustable(adjusted.fault);
  return adjusted.steps;
}

/** For drivers that take none. @throws FiscalError E201 when the document has some */
export function refuseModifiers(document: FiscalDocument): void {
  if (modifiersOf(document).length === 0) return;
  throw new FiscalError("E201", "subtotalModifiers are not supported by this driver");
}
