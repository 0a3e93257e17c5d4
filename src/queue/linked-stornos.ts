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

type LinkedStores = NumberProofs & Pick<Stores, "receipts" | "reversals">;

/**
 * The printer has proven the number of a sale: what was counted on it, and names another paper, is of that
 * one; and what names its own counts on it from now on. Inside an operation.
 */
export function relinkStornos(stores: LinkedStores, numbered: NumberedSale): void {
  const { commands, receipts, reversals } = stores;
  const { receipt, meantBy } = numbered;
  const sale = receipts.get(receipt.orgId, receipt.id);
  if (sale === undefined) return;
  const mayMean = namingOf(stores, sale);
  for (const { id, commandId } of receipts.listReversing(sale.orgId, sale.id)) {
    const by = commandId === null ? undefined : commands.get(sale.orgId, commandId);
    // What was accepted as a storno of this sale stays one.
    if (by?.type !== "print_reversal_receipt" || reversals.of(by.id) || mayMean(by)) continue;
    receipts.unlink(id, sale.id);
    const other = meantBy(by);
    if (other) receipts.link(id, other.id);
  }
  linkStornos(stores, numbered);
}

/** Counts on a sale what took it back before. Inside an operation. */
export function linkStornos(
  stores: LinkedStores,
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
