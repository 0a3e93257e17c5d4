/** What is asked of the gateway, from what was chosen. */

import type { components, paths } from "../../../client/index.ts";
import { centsOfPart, type LineLeft } from "../../parts/reversals.ts";

type Receipt = components["schemas"]["Receipt"];
/** What is asked of the gateway. */
export type Body = NonNullable<
  paths["/api/v1/receipts/{receiptId}/storno"]["post"]["requestBody"]
>["content"]["application/json"];

/** Reasons as the law has them. */
export const REASONS = ["operator-error", "refund", "tax-base-reduction"] as const;
export type Reason = (typeof REASONS)[number];

/** How it is paid back: one way, or each part as it was paid. */
export type Tender = Receipt["payments"][number]["method"] | "as-paid";

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

/** The ways that there are to pay it back, the first of them unless another is chosen. */
export function tendersOf(sale: Receipt, { isWhole }: Chosen): readonly Tender[] {
  const methods = [...new Set(sale.payments.map(({ method }) => method))];
  if (methods.length === 1) return methods[0] === "cash" ? ["cash"] : [...methods, "cash"];
  const rest = methods.filter((method) => method !== "cash");
  return [...(isWhole ? (["as-paid"] as const) : []), "cash", ...rest];
}

export function bodyOf(chosen: Chosen, reason: Reason, tender: Tender): Body {
  if (tender === "as-paid") return { reason };
  const payments = [{ method: tender, amount: chosen.cents / 100 }];
  return { reason, lines: chosen.lines, payments };
}
