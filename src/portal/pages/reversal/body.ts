/** What is asked of the gateway, from what was chosen. */

import type { components, paths } from "../../../client/index.ts";
import { centsOf, centsOfLines, type LineLeft } from "../../parts/reversals.ts";

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
  readonly items: Receipt["items"];
  readonly cents: number;
  /** All of a sale of which nothing went back yet. */
  readonly isWhole: boolean;
  /** Prices have their share of a discount on the whole receipt. */
  readonly isLowered: boolean;
}

interface Choice {
  readonly lines: readonly LineLeft[];
  readonly centsLeft: number;
  /** Of each line. */
  readonly quantities: readonly (number | undefined)[];
}

/** @returns what goes back; a discount on the whole receipt lowers the prices, as it did when paid */
export function chosenOf(sale: Receipt, { lines, centsLeft, quantities }: Choice): Chosen {
  const subtotal = centsOfLines(sale.items);
  const paid = centsOf(sale.total);
  const share = sale.subtotalModifiers.length > 0 && subtotal > 0 ? paid / subtotal : 1;
  const items = lines.flatMap(({ item }, at) => {
    const quantity = quantities[at] ?? 0;
    if (quantity <= 0) return [];
    // Never more than was paid: what is cut off here stays with the shop, and is cents.
    const price = share === 1 ? item.price : Math.floor(centsOf(item.price) * share) / 100;
    return [{ ...item, quantity, price }];
  });
  const cents = Math.min(centsOfLines(items), share === 1 ? Number.POSITIVE_INFINITY : centsLeft);
  const isWhole = lines.every(
    ({ item, quantity }, at) => quantities[at] === item.quantity && quantity === item.quantity,
  );
  return { items, cents, isWhole, isLowered: share < 1 };
}

/** The ways that there are to pay it back, the first of them unless another is chosen. */
export function tendersOf(sale: Receipt, { isWhole, isLowered }: Chosen): readonly Tender[] {
  const methods = [...new Set(sale.payments.map(({ method }) => method))];
  if (methods.length === 1) return methods[0] === "cash" ? ["cash"] : [...methods, "cash"];
  const rest = methods.filter((method) => method !== "cash");
  return [...(isWhole && !isLowered ? (["as-paid"] as const) : []), "cash", ...rest];
}

export function bodyOf(chosen: Chosen, reason: Reason, tender: Tender): Body {
  if (tender === "as-paid") return { reason };
  const payments = [{ method: tender, amount: chosen.cents / 100 }];
  return { reason, items: chosen.items, payments };
}
