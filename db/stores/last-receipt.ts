/** Which receipt a printer printed last: it repeats that one, and no other. */

import type { ReceiptPrinter } from "#core/receipt-record.ts";
import type { ElsewhereReceipt as Known } from "./elsewhere-receipts.ts";
import type { Stores } from "./index.ts";
import { inOrder } from "./order.ts";
import type { ListedReceipt } from "./receipt-list.ts";

type LastStores = Pick<Stores, "commands" | "receipts">;

const MINUTE_MS = 60_000;
/** Commands of a record that are looked at, the newest first. */
const LOOKED_AT_MAX = 1_000;

/**
 * What keeps a printer from repeating a receipt; undefined when nothing does.
 * @param named its id or its fiscal id
 */
export function repeatLack(
  stores: LastStores,
  of: ReceiptPrinter,
  named: string,
): "unknown" | "not_last" | undefined {
  const meant = stores.receipts.findByIdOrFiscalId(of, named);
  if (meant === undefined) return "unknown";
  const last = lastReceipt(stores, of);
  return last === undefined || last.id === meant.id ? undefined : "not_last";
}

/** The receipt that a printer printed last, by a command of ours or for somebody else. */
function lastReceipt(stores: LastStores, of: ReceiptPrinter): Known | undefined {
  const ours = lastOfOurs(stores, of.records);
  return stores.receipts
    .listElsewhere(of, ours?.seq ?? 0)
    .reduce<Known | undefined>((last, told) => (isBefore(told, last) ? last : told), ours);
}

/**
 * True for what was told later, and says that it was issued before. Both times are of the printer's
 * clock, and papers show minutes; where none was told it is the gateway's, and says nothing.
 */
function isBefore({ issuedAt, createdAt }: Known, last: Known | undefined): boolean {
  if (last === undefined || issuedAt === createdAt) return false;
  return Math.floor(issuedAt / MINUTE_MS) < Math.floor(last.issuedAt / MINUTE_MS);
}

/**
 * The last one of a command over any of the records. Each record prints in the order of acceptance;
 * what waited at one of them may be printed behind what was accepted later at another.
 */
function lastOfOurs(stores: LastStores, records: readonly string[]): ListedReceipt | undefined {
  const [last] = records
    .flatMap((deviceId) => newestOf(stores, deviceId) ?? [])
    .toSorted((one, other) => inOrder(other.ended, one.ended));
  return last && stores.receipts.get(last.receipt.orgId, last.receipt.id);
}

function newestOf({ commands, receipts }: LastStores, deviceId: string) {
  const printed = commands.listPrinted(deviceId).take(LOOKED_AT_MAX);
  for (const { id, finishedOrder, finishedAt } of printed) {
    const receipt = receipts.ofCommand(id);
    const ended = { order: finishedOrder, at: finishedAt ?? 0 };
    if (receipt !== undefined) return { ended, receipt };
  }
  return undefined;
}
