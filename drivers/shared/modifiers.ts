/** Adjustments of a receipt's sum: which drivers take them stands in the contract. */

import { FiscalError } from "#core/errors.ts";
import type { FiscalDocument, SubtotalModifier } from "#core/receipt.ts";

/** The adjustments of a document, in order; a storno has none. */
export function modifiersOf(document: FiscalDocument): readonly SubtotalModifier[] {
  return document.kind === "sale" ? document.modifiers : [];
}

/** For drivers that take none. @throws FiscalError E201 when the document has some */
export function refuseModifiers(document: FiscalDocument): void {
  if (modifiersOf(document).length === 0) return;
  throw new FiscalError("E201", "subtotalModifiers are not supported by this driver");
}
