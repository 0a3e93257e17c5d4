/** What is left of a stored sale. */

import { REVERSAL_REASONS, type ReversalReason } from "#core/receipt.ts";
import { type Left, leftOf } from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "./index.ts";

/**
 * What may still be reversed of a sale: neither reversed, nor reserved for that.
 * @param besides the id of a command whose own reservation is left out
 */
export function leftOfSale(
  { commands, receipts, reversals }: Pick<Stores, "commands" | "receipts" | "reversals">,
  sale: StoredReceipt,
  besides?: string,
): Left {
  /** A command is kept for years; of what no command printed nobody said why. */
  const withReason = <Counted extends { readonly commandId: string | null }>(counted: Counted) => {
    const { commandId } = counted;
    const command = commandId === null ? undefined : commands.get(sale.orgId, commandId);
    return { ...counted, reason: reasonOf(command?.payload) };
  };
  const printed = receipts.listReversing(sale.orgId, sale.id);
  return leftOf(sale, [
    ...printed.toSorted((one, other) => one.createdAt - other.createdAt).map(withReason),
    ...reversals
      .listStanding(sale.orgId, sale.id)
      .filter(({ commandId }) => commandId !== besides)
      .map(withReason),
  ]);
}

function reasonOf(payload: unknown): ReversalReason | undefined {
  const reason = (payload as { readonly reason?: unknown } | undefined)?.reason;
  return REVERSAL_REASONS.find((known) => known === reason);
}
