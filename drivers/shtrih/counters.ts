/** The device's running numbers of its documents. */

import { isNumberAfter, numberAfter, SHTRIH_ROUND } from "#core/device/numbering.ts";
import type { Counted } from "../shared/resolution.ts";
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
  /** Running number of the last cancelled receipt; null where the model does not count them. */
  readonly cancelled: number | null;
  readonly state: FullState;
}

const TENDER_NUMBERS = [1, 2, 3, 4];
/** The tender that counts in the drawer. */
const CASH = 1;
const REGISTER_KIND = { sale: 0, storno: 2 } as const;
const RECEIPT_COUNT = { sale: COUNT.sale, storno: COUNT.saleReturn } as const;

/**
 * Reads the numbers: the state first, the receipts last. What stands open in a state that is newer
 * than the count of receipts says nothing of that count: whoever finished ours in between would be
 * missed in both. So an unchanged count means that nothing of the kind was finished up to the end of
 * this reading, whatever the state still shows, and the number of the document is never the newer one.
 * @param known the settled state, where it was just read
 * @throws FiscalError
 */
export async function readCounters(
  device: ShtrihDevice,
  kind: DocumentKind,
  known?: FullState,
): Promise<Counters> {
  const state = known ?? (await device.settledState());
  const cancelled = await readCancelled(device);
  const receipt = await device.count(RECEIPT_COUNT[kind]);
  return {
    open: isFiscalReceiptOpen(state),
    document: state.document,
    receipt,
    cancelled,
    state,
  };
}

/** Running number of the last cancelled receipt; null where the model lacks it. @throws FiscalError */
export async function readCancelled(device: ShtrihDevice): Promise<number | null> {
  return (await device.countUnlessLacking(COUNT.cancelled)) ?? null;
}

/**
 * What receipts of a kind have brought into the till, or have paid back, by tender 1 to 4, in minor
 * units: the cash by the drawer, which counts what is left of it behind the change. While nothing but
 * receipts is made it grows by what each is paid with. Null where the device lacks the register.
 */
export type Taken = readonly (number | null)[];

/**
 * Reads them. All four: whoever finishes a receipt of ours at the device may pay it, or what they
 * add to it, by a tender of their own.
 * @throws FiscalError a refusal by the device's state, or a line fault
 */
export async function readTaken(device: ShtrihDevice, kind: DocumentKind): Promise<Taken> {
  const taken: (number | null)[] = [];
  for (const tender of TENDER_NUMBERS) {
    const amount = await device.moneyUnlessLacking(
      tender === CASH ? MONEY.cash : MONEY.payments(tender, REGISTER_KIND[kind]),
    );
    const isPaidOut = tender === CASH && kind === "storno";
    taken.push(amount === undefined ? null : isPaidOut ? -amount : amount);
  }
  return taken;
}

/**
 * The sums of the one receipt that was finished between two readings.
 * @param sent what ours pays by tender 1 to 4, minor units
 * @returns as paid what came by the tenders that were sent, as far as it was sent. A tender that the
 *   device told neither time counts as not used; the amount is null where it told one reading alone,
 *   or lacks a tender that ours pays by.
 */
export function countedBetween(before: Taken, now: Taken, sent: readonly number[]): Counted {
  let amountMinor = 0;
  let paidMinor = 0;
  for (const [index, ours] of sent.entries()) {
    const then = before[index] ?? null;
    const since = now[index] ?? null;
    if (then === null && since === null && ours === 0) continue;
    if (then === null || since === null) return { items: null, amountMinor: null, paidMinor: null };
    amountMinor += since - then;
    paidMinor += Math.min(since - then, ours);
  }
  return { items: null, amountMinor, paidMinor };
}

/**
 * True when exactly one document was made since, a receipt that was finished. Where the model does not
 * count what is cancelled, nobody knows.
 */
export function isOnlyReceipt(
  before: Pick<Counters, "document" | "receipt" | "cancelled">,
  now: Pick<Counters, "document" | "receipt" | "cancelled">,
): boolean {
  return (
    isNext(before.receipt, now.receipt) &&
    isNext(before.document, now.document) &&
    isNoneCancelled(before, now)
  );
}

/** True where the device shows that nothing was cancelled since. */
export function isNoneCancelled(
  before: Pick<Counters, "cancelled">,
  now: Pick<Counters, "cancelled">,
): boolean {
  return now.cancelled !== null && now.cancelled === before.cancelled;
}

/** True where the device shows that a receipt was cancelled since. What is told only once shows nothing. */
export function isOneCancelled(
  before: Pick<Counters, "cancelled">,
  now: Pick<Counters, "cancelled">,
): boolean {
  return before.cancelled !== null && now.cancelled !== null && now.cancelled !== before.cancelled;
}

/** True when `now` is the number after `before`; a counter may have begun anew. */
export function isNext(before: number, now: number): boolean {
  return isNumberAfter(SHTRIH_ROUND, before, now);
}

/** The number after this one. */
export function nextNumber(before: number): number {
  return numberAfter(SHTRIH_ROUND, before);
}

/**
 * The number of the receipt behind the one of this number: read where numbers begin anew, because
 * where they do is not certain. The receipt is finished by now.
 * @throws FiscalError
 */
export async function readNumberBehind(
  device: ShtrihDevice,
  kind: DocumentKind,
  before: number,
): Promise<number> {
  if (!SHTRIH_ROUND.lasts.includes(before)) return before + 1;
  const now = await device.count(RECEIPT_COUNT[kind]);
  return isNext(before, now) ? now : nextNumber(before);
}
