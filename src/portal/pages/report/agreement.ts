/** How a Z report that has the number and worth of the stored receipts divides them. */

import type { FiscalDay } from "./daily.ts";

/** Alike; by VAT group by a cent here and there; or otherwise between groups or tenders. */
type Agreement = "wholly" | "rounded" | "inTotal";

/** What the table of figures shows must not be called the same. */
export function agreementOf(day: Pick<FiscalDay, "difference" | "stored">): Agreement {
  const { difference, stored } = day;
  const groups = (difference?.vat ?? []).map(({ turnover }) => centsOf(turnover));
  const tenders = (difference?.payments ?? []).map(({ amount }) => centsOf(amount));
  if ([...groups, ...tenders].every((cents) => cents === 0)) return "wholly";
  // A printer rounds each receipt by itself.
  const isRounding = groups.every((cents) => cents <= stored.receiptCount);
  return isRounding && tenders.every((cents) => cents === 0) ? "rounded" : "inTotal";
}

function centsOf(amount: number): number {
  return Math.abs(Math.round(amount * 100));
}
