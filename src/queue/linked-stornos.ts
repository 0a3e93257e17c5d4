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
  readonly orgId: string;
  readonly receiptId: string;
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
  { orgId, receiptId, command, soldAt, isLate, meantBy }: NumberedSale,
): void {
  const { commands, receipts } = stores;
  const sale = receipts.get(orgId, receiptId);
  if (sale?.type !== "sale") return;
  const filter = { type: "storno", simulated: sale.simulated, time: "bookedAt" } as const;
  const page = { sortBy: "bookedAt", limit: LINKED_MAX, partsMax: 1 } as const;
  const behind = receipts.list(orgId, { ...filter, from: soldAt }, { ...page, order: "asc" });
  const before = isLate
    ? receipts.list(orgId, { ...filter, to: soldAt }, { ...page, order: "desc" })
    : [];
  const mayMean = namingOf(stores, sale);
  for (const { id, commandId, originalReceiptId } of [...behind, ...before].flat()) {
    if (originalReceiptId !== null || commandId === null) continue;
    const by = commands.get(orgId, commandId);
    if (by === undefined || (command && by.seq < command.seq) || !mayMean(by)) continue;
    if (meantBy(by)?.id === receiptId) receipts.link(id, receiptId);
  }
}
