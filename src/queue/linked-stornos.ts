/** Stornos that were printed before anybody knew the number of their sale. */

import type { Command } from "#core/command/command.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { NumberProofs } from "#db/stores/proven-number.ts";
import { namingOf } from "./waiting-reversals.ts";

/** A sale whose number is known now. */
export interface NumberedSale {
  readonly receipt: Pick<StoredReceipt, "id" | "orgId" | "simulated">;
  /** What printed it; undefined for one that was made elsewhere. */
  readonly command?: Pick<Command, "seq">;
  /** When it was sold. UTC milliseconds. */
  readonly soldAt: number;
  /** The sale that a command means, as far as is known by now. */
  readonly meantBy: (command: NewCommand) => StoredReceipt | undefined;
}

/** Counts on a sale what took it back before. Inside an operation. */
export function linkStornos(
  stores: NumberProofs & Pick<Stores, "receipts">,
  { receipt, command, soldAt, meantBy }: NumberedSale,
): void {
  const { commands, receipts } = stores;
  const { id: receiptId, orgId, simulated } = receipt;
  const seq = command?.seq ?? 0;
  // The clock may have been set back since the sale.
  const uncounted = (["behind", "before"] as const).flatMap((side) =>
    receipts.listUncounted({ ...{ orgId, simulated, at: soldAt, seq }, side }),
  );
  // Behind most sales there is none.
  const sale = uncounted.length > 0 ? receipts.get(orgId, receiptId) : undefined;
  if (sale === undefined) return;
  const mayMean = namingOf(stores, sale);
  for (const { id, commandId } of uncounted) {
    const by = commands.get(orgId, commandId);
    if (by && mayMean(by) && meantBy(by)?.id === receiptId) receipts.link(id, receiptId);
  }
}
