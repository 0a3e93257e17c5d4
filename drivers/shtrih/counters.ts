/** The device's running numbers of its documents. */

import type { ShtrihDevice } from "./device.ts";
import type { DocumentPlan } from "./plan.ts";
import { COUNT, MONEY } from "./requests.ts";
import { type FullState, isFiscalReceiptOpen } from "./status.ts";

export type DocumentKind = DocumentPlan["kind"];

/** Numbers that move when a document is finished or cancelled. */
export interface Counters {
  readonly open: boolean;
  /** Number of the last document of any kind, 0..9999. */
  readonly document: number;
  /** Running number of the last finished receipt of the kind. */
  readonly receipt: number;
  /** Running number of the last cancelled receipt. */
  readonly cancelled: number;
  readonly state: FullState;
}

/** The tender that counts in the drawer. */
const CASH = 1;
const REGISTER_KIND = { sale: 0, storno: 2 } as const;
const RECEIPT_COUNT = { sale: COUNT.sale, storno: COUNT.saleReturn } as const;

/**
 * Reads the numbers.
 * @param known the state, where it was just read
 * @throws FiscalError
 */
export async function readCounters(
  device: ShtrihDevice,
  kind: DocumentKind,
  known?: FullState,
): Promise<Counters> {
  const receipt = await device.count(RECEIPT_COUNT[kind]);
  const cancelled = await readCancelled(device);
  // Should somebody finish a receipt in between, the numbers do not fit each other afterwards, and
  // the outcome is unknown rather than wrong.
  const state = known ?? (await device.fullState());
  return {
    open: isFiscalReceiptOpen(state),
    document: state.document,
    receipt,
    cancelled,
    state,
  };
}

/** Running number of the last cancelled receipt. @throws FiscalError */
export function readCancelled(device: ShtrihDevice): Promise<number> {
  return device.count(COUNT.cancelled);
}

/**
 * What receipts of the kind have brought into the till, or have paid back, by the tenders of this
 * document: the cash by the drawer, which counts what is left of it behind the change. While nothing
 * but receipts is made it grows by the total of one that is paid with these tenders, and by less
 * where others have put another tender in their place.
 * @returns minor units; null where the device lacks the register of one of them
 * @throws FiscalError a refusal by the device's state, or a line fault
 */
export async function readTaken(
  device: ShtrihDevice,
  { kind, tenders }: Pick<DocumentPlan, "kind" | "tenders">,
): Promise<number | null> {
  let taken = 0;
  for (const tender of tenders) {
    const amount = await device.moneyUnlessLacking(
      tender === CASH ? MONEY.cash : MONEY.payments(tender, REGISTER_KIND[kind]),
    );
    if (amount === undefined) return null;
    taken += tender === CASH && kind === "storno" ? -amount : amount;
  }
  return taken;
}

/** What they have brought since; null where the device has not told it then or now. */
export function takenSince(before: number | null, now: number | null): number | null {
  return before === null || now === null ? null : now - before;
}

/** True when exactly one document was made since, a receipt that was finished. */
export function isOnlyReceipt(
  before: Pick<Counters, "document" | "receipt" | "cancelled">,
  now: Pick<Counters, "document" | "receipt" | "cancelled">,
): boolean {
  return (
    isNext(before.receipt, now.receipt) &&
    isNext(before.document, now.document) &&
    now.cancelled === before.cancelled
  );
}

/** True when `now` is the number after `before`; a counter may have begun anew, at 0 or 1. */
export function isNext(before: number, now: number): boolean {
  return now === before + 1 || (isLast(before) && now <= 1);
}

/**
 * The number after this one. "KKT protocol" 2.0 gives 0000 to 9999 as the range of document numbers,
 * so 0 comes after the last; UNCONFIRMED on a device that it is not left out.
 */
export function nextDocument(number: number): number {
  return isLast(number) ? 0 : number + 1;
}

/**
 * Four digits, as the protocol has it; two bytes is what the field and the operation registers can
 * hold, whose range the protocol leaves out.
 */
function isLast(number: number): boolean {
  return number === 9_999 || number === 65_535;
}
