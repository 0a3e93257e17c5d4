/** Stornos that were printed before anybody knew the number of their sale. */

import type { Command } from "#core/command/command.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { NumberProofs } from "#db/stores/proven-number.ts";
import { namingOf } from "./waiting-reversals.ts";

/** Stornos that are looked at, those next to the sale first. */
const LINKED_MAX = 200;

/** A sale whose number is known now. */
export interface NumberedSale {
  readonly receipt: Pick<StoredReceipt, "id" | "orgId" | "simulated">;
  /** What printed it; undefined for one that was made elsewhere. */
  readonly command?: Pick<Command, "seq">;
  /** When it was sold. UTC milliseconds. */
  readonly soldAt: number;
  /** It is known long behind the sale, by whomever: the clock may have been set back since that was printed. */
  readonly isLate: boolean;
  /** The sale that a command means, as far as is known by now. */
  readonly meantBy: (command: NewCommand) => StoredReceipt | undefined;
}

/** Counts on a sale what took it back before. Inside an operation. */
export function linkStornos(
  stores: NumberProofs & Pick<Stores, "receipts">,
  { receipt, command, soldAt, isLate, meantBy }: NumberedSale,
): void {
  const { commands, receipts } = stores;
  const { id: receiptId, orgId, simulated } = receipt;
  const filter = { type: "storno", simulated, time: "bookedAt" } as const;
  const page = { sortBy: "bookedAt", limit: LINKED_MAX, partsMax: 1 } as const;
  const behind = receipts.list(orgId, { ...filter, from: soldAt }, { ...page, order: "asc" });
  const before = isLate
    ? receipts.list(orgId, { ...filter, to: soldAt }, { ...page, order: "desc" })
    : [];
  const uncounted = [...behind, ...before]
    .flat()
    .filter(({ originalReceiptId }) => originalReceiptId === null);
  // Behind most sales there is none.
  const sale = uncounted.length > 0 ? receipts.get(orgId, receiptId) : undefined;
  if (sale === undefined) return;
  const mayMean = namingOf(stores, sale);
  for (const { id, commandId } of uncounted) {
    const by = commandId === null ? undefined : commands.get(orgId, commandId);
    if (by === undefined || (command && by.seq < command.seq) || !mayMean(by)) continue;
    if (meantBy(by)?.id === receiptId) receipts.link(id, receiptId);
  }
}
