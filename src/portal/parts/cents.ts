/** Sums of what the API gives in currency units, in whole cents and as they stand on paper. */

import type { components } from "../../client/index.ts";

type Schemas = components["schemas"];
type Sale = Schemas["PrintReceiptSubmission"]["payload"];
type Reversal = Schemas["PrintReversalReceiptSubmission"]["payload"];
/** Of a sale or a reversal. */
export type Document = Sale | Reversal;

/** Whole cents of an amount, whatever binary fractions come to. */
export function centsOf(amount: number): number {
  return Math.round(Number((amount * 100).toPrecision(12)));
}

/** What lines come to, each rounded as on paper. */
export function centsOfLines(
  items: readonly Pick<Document["items"][number], "price" | "quantity">[],
): number {
  return items.reduce((sum, { price, quantity }) => sum + centsOf(price * quantity), 0);
}

/** What a document comes to on paper; its payments may be a cent off. */
export function centsOfDocument(document: Document): number {
  const modifiers = "subtotalModifiers" in document ? document.subtotalModifiers : undefined;
  return (modifiers ?? []).reduce(
    (cents, { type, value }) =>
      cents + (type === "discount-amount" ? -centsOf(value) : centsOf(value)),
    centsOfLines(document.items),
  );
}
