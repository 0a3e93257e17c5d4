/** What is left of a stored sale. */

import { countedAs, type Left, leftOf } from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "./index.ts";

/** What may still be reversed of a sale: neither reversed, nor reserved for that. */
export function leftOfSale(
  { receipts, reversals }: Pick<Stores, "receipts" | "reversals">,
  sale: StoredReceipt,
): Left {
  return leftOf(countedAs(sale), [
    ...receipts.listReversing(sale.orgId, sale.id).map(countedAs),
    ...reversals.listStanding(sale.orgId, sale.id),
  ]);
}
