/** Which receipt a printer printed last: it repeats that one, and no other. */

import { isSettled } from "#core/command/settled.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import type { ElsewhereReceipt as Known } from "./elsewhere-receipts.ts";
import type { Stores } from "./index.ts";
import { receiptsNamed, severalNamed } from "./named-receipts.ts";
import type { NumberedStores } from "./numbered-receipts.ts";
import { type Happened, inOrder } from "./order.ts";

type LastStores = Pick<Stores, "commands" | "receipts">;

const MINUTE_MS = 60_000;
/** Commands of a record that are looked at, the newest first. */
const LOOKED_AT_MAX = 1_000;

/**
 * What keeps a printer from repeating a receipt; undefined when nothing does.
 * @param named its id or its fiscal id, with zeros in front or without
 */
export function repeatLack(
  stores: NumberedStores,
  of: ReceiptPrinter,
  named: string,
): "unknown" | "several" | "not_last" | undefined {
  const meant = receiptsNamed(stores, of, named);
  if (meant.length === 0) return "unknown";
  if (severalNamed(stores, of, meant).length > 0) return "several";
  const last = lastReceipt(stores, of);
  return last === undefined || meant.some(({ id }) => id === last.id) ? undefined : "not_last";
}

/** The receipt that a printer printed last, by a command of ours or for somebody else. */
function lastReceipt(stores: LastStores, of: ReceiptPrinter): Known | undefined {
  const ours = lastOfOurs(stores, of.records, () => true);
  return elsewhereBehind(stores, of, ours).reduce<Known | undefined>(
    (last, told) => (isBefore(told, last) ? last : told),
    ours?.receipt,
  );
}

/**
 * What was made elsewhere and stored behind the end of ours. One that a person settled was stored itself
 * when that person spoke, so that its row says nothing of its end; the row of one before it does, and
 * from there on the gateway's clock.
 */
function elsewhereBehind(stores: LastStores, of: ReceiptPrinter, ours: Ours | undefined): Known[] {
  const isTimely = ({ lateBehind }: Ours): boolean => lateBehind === undefined;
  const known = ours && !isTimely(ours) ? lastOfOurs(stores, of.records, isTimely) : ours;
  const { seq = 0 } = (known && stores.receipts.get(of.orgId, known.receipt.id)) ?? {};
  const { lateBehind = Number.NEGATIVE_INFINITY } = ours ?? {};
  return stores.receipts.listElsewhere(of, seq).filter(({ createdAt }) => createdAt > lateBehind);
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
 * In place of the newest one of a record by the clock, which may have been ahead: a record prints in the order
 * of the queue. One that was made elsewhere counts by its own time.
 * @param newest by the clock
 */
export function lastOfRecord(
  stores: LastStores,
  deviceId: string,
  newest: StoredReceipt,
): StoredReceipt {
  if (newest.source !== "command") return newest;
  for (const { receipt } of ofRecord(stores, deviceId)) return receipt;
  return newest;
}

/** One of a command. */
interface Ours {
  readonly ended: Happened;
  readonly receipt: StoredReceipt;
  /** When it was over by the gateway's clock, of one that was stored later than that. UTC milliseconds. */
  readonly lateBehind: number | undefined;
}

/**
 * The last one of a command over any of the records. Each record prints in the order of acceptance;
 * what waited at one of them may be printed behind what was accepted later at another.
 */
function lastOfOurs(
  stores: LastStores,
  records: readonly string[],
  isMeant: (one: Ours) => boolean,
): Ours | undefined {
  const [last] = records
    .flatMap((deviceId) => ofRecord(stores, deviceId).find(isMeant) ?? [])
    .toSorted((one, other) => inOrder(other.ended, one.ended));
  return last;
}

/** Those of a record, the newest first. */
function* ofRecord({ commands, receipts }: LastStores, deviceId: string): Generator<Ours> {
  const printed = commands.listPrinted(deviceId).take(LOOKED_AT_MAX);
  for (const { id, processingAt, finishedOrder, finishedAt, result } of printed) {
    const receipt = receipts.ofCommand(id);
    if (receipt === undefined) continue;
    const ended = { order: finishedOrder, at: finishedAt ?? 0 };
    const isLate = receipt.createdAt !== finishedAt;
    // A person may also end what nobody could ask of: it was over when it was last heard of. The receipt
    // may have its time from the printer's clock.
    const over = isLate ? ended.at : (processingAt ?? ended.at);
    yield { ended, receipt, lateBehind: isLate || isSettled(result) ? over : undefined };
  }
}
