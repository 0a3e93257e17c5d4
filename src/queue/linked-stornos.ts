/** Stornos that were printed before anybody knew the number of their sale. */

import type { Command } from "#core/command/command.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";

/** Stornos that are looked at, those next to the sale first. */
const LINKED_MAX = 200;

/** A sale whose number is known now. */
export interface NumberedSale {
  readonly command: Command;
  readonly receiptId: string;
  /** It is known long behind the sale, by whomever: the clock may have been set back since that was printed. */
  readonly isLate: boolean;
  /** The sale that a command means, as far as is known by now. */
  readonly meantBy: (command: NewCommand) => StoredReceipt | undefined;
}

/** Counts on a sale what took it back before. Inside an operation. */
export function linkStornos(
  { commands, receipts }: Pick<Stores, "commands" | "receipts">,
  { command, receiptId, isLate, meantBy }: NumberedSale,
): void {
  const { orgId, type, simulated, sentAt, createdAt } = command;
  if (type !== "print_receipt") return;
  const sold = sentAt ?? createdAt;
  const filter = { type: "storno", simulated, time: "bookedAt" } as const;
  const page = { sortBy: "bookedAt", limit: LINKED_MAX, partsMax: 1 } as const;
  const behind = receipts.list(orgId, { ...filter, from: sold }, { ...page, order: "asc" });
  const before = isLate
    ? receipts.list(orgId, { ...filter, to: sold }, { ...page, order: "desc" })
    : [];
  for (const { id, commandId, originalReceiptId } of [...behind, ...before].flat()) {
    const by = commandId === null ? undefined : commands.get(orgId, commandId);
    if (originalReceiptId !== null || by === undefined || by.seq < command.seq) continue;
    if (meantBy(by)?.id === receiptId) receipts.link(id, receiptId);
  }
}
