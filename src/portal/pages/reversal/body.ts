/** What is asked of the gateway, from what was chosen. */

import type { paths } from "../../../client/index.ts";
import { centsOfPart, type LineLeft } from "../../parts/reversals.ts";
import { type PaysBack, splitOf, type WayBack } from "./paid-back.ts";

/** What is asked of the gateway. */
export type Body = NonNullable<
  paths["/api/v1/receipts/{receiptId}/storno"]["post"]["requestBody"]
>["content"]["application/json"];

/** Reasons as the law has them. */
export const REASONS = ["operator-error", "refund", "tax-base-reduction"] as const;
export type Reason = (typeof REASONS)[number];

/** What goes back. */
export interface Chosen {
  readonly lines: NonNullable<Body["lines"]>;
  readonly cents: number;
  /** All of a sale of which nothing went back yet. */
  readonly isWhole: boolean;
}

/** @param quantities of each line */
export function chosenOf(
  lines: readonly LineLeft[],
  quantities: readonly (number | undefined)[],
): Chosen {
  const parts = lines.map((line, at) => ({ line: at, quantity: quantities[at] ?? 0, left: line }));
  const chosen = parts.filter(({ quantity }) => quantity > 0);
  return {
    lines: chosen.map(({ line, quantity }) => ({ line, quantity })),
    cents: chosen.reduce((sum, { left, quantity }) => sum + centsOfPart(left, quantity), 0),
    isWhole: parts.every(
      ({ quantity, left }) => quantity === left.item.quantity && quantity === left.quantity,
    ),
  };
}

/** @param tender one of those that there are to choose from */
export function bodyOf(
  chosen: Chosen,
  reason: Reason,
  { tender, paid }: { readonly tender: WayBack } & Pick<PaysBack, "paid">,
): Body {
  // Whoever confirmed it was told this amount; the gateway reverses no other.
  const expectedAmount = chosen.cents / 100;
  if (tender === "as-paid") return { reason, expectedAmount };
  const payments = splitOf(tender, chosen.cents, paid).map(({ method, cents }) => ({
    method,
    amount: cents / 100,
  }));
  return { reason, lines: chosen.lines, payments, expectedAmount };
}
