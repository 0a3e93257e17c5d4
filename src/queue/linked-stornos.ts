/** Stornos that were printed before anybody knew the number of their sale. */

import type { Command } from "#core/command/command.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";

/** Stornos behind a sale that are looked at, the oldest first. */
const LINKED_MAX = 200;

/** A sale whose number is known now. */
export interface NumberedSale {
  readonly command: Command;
  readonly receiptId: string;
  /** The sale that a command means, as far as is known by now. */
  readonly meantBy: (command: NewCommand) => StoredReceipt | undefined;
}

/** Counts on a sale what took it back before. Inside an operation. */
export function linkStornos(
  { commands, receipts }: Pick<Stores, "commands" | "receipts">,
  { command, receiptId, meantBy }: NumberedSale,
): void {
  const { orgId, type, simulated, sentAt, createdAt } = command;
  if (type !== "print_receipt") return;
  const filter = {
    type: "storno",
    simulated,
    time: "bookedAt",
    from: sentAt ?? createdAt,
  } as const;
  const page = { sortBy: "bookedAt", order: "asc", limit: LINKED_MAX, partsMax: 1 } as const;
  const stornos = [...receipts.list(orgId, filter, page)].flat();
  for (const { id, commandId, originalReceiptId } of stornos) {
    const by = commandId === null ? undefined : commands.get(orgId, commandId);
    if (originalReceiptId !== null || by === undefined) continue;
    if (meantBy(by)?.id === receiptId) receipts.link(id, receiptId);
  }
}
