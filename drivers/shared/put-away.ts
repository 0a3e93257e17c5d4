/**
 * Puts away a receipt that stands open on a device: cancelled, or finished where it holds a
 * payment. What a protocol has for this, and when it can no longer cancel, it says itself.
 */

import type { DriverEnvironment } from "#core/driver.ts";
import { FiscalError, isPauseFault, MustStayOpen } from "#core/errors.ts";
import type { Payment } from "#core/receipt.ts";
import { BusyWait, DeviceBusy } from "./busy.ts";
import { isStateRefusal } from "./device-fault.ts";
import { type CountedReceipt, type Sums, sameSums } from "./sums.ts";
import { remainingTenders } from "./tenders.ts";

/** A receipt as the device tells of it. */
export interface FoundReceipt extends CountedReceipt {
  readonly number: number;
}

/** What a device can do with its open receipt; a refusal is returned, a line fault thrown. */
export interface ReceiptActions<Receipt extends FoundReceipt> {
  readonly environment: Pick<DriverEnvironment, "log" | "note" | "mayFinish" | "setTimer">;
  read(): Promise<Receipt>;
  /**
   * The number by which people are told of it; undefined where what the device shows of an open
   * receipt is, or may be, that of the one before.
   */
  toldNumber(receipt: Receipt): number | undefined;
  /** True when the receipt can only be finished. */
  mustBeFinished(receipt: Receipt): boolean;
  /** `finished` where the device has ended a receipt so that was paid meanwhile. */
  cancel(): Promise<FiscalError | "finished" | undefined>;
  pay(payment: Payment): Promise<FiscalError | undefined>;
  close(): Promise<FiscalError | undefined>;
}

/** How a document of ours is paid that can only be finished. */
export interface TendersLeft {
  readonly tenders: readonly Payment[];
  /** What of it is paid in cash though it was sent otherwise. */
  readonly inCashMinor: number;
  /** Keeps that what is left is paid in cash; it is paid so once this resolves. */
  replaceByCash(restMinor: number): Promise<void>;
}

/** How a receipt was put away. */
export type PutAway = "cancelled" | "finished";

/** Cancelling and finishing may each turn out to be impossible once; more rounds change nothing. */
const ROUNDS_MAX = 3;

/**
 * Leaves no fiscal receipt open. One that can be cancelled is; of any other the rest is paid, and
 * it is closed. Others may be at it too, so it is looked at right before each step: what is not
 * `found` any more is left alone.
 * @param own how a document of ours is paid; without, the rest is cash
 * @returns what was done; undefined when another receipt stands in its place, or none, or when one of
 *   ours was paid or replaced meanwhile and is to be looked at anew
 * @throws FiscalError when the device refuses both, E306 or E307 when what can only be finished waits
 *   for a person, or a line fault
 * @throws MustStayOpen when it could only be finished and a person said that it was not printed
 */
export async function putAwayReceipt<Receipt extends FoundReceipt>(
  actions: ReceiptActions<Receipt>,
  found: Receipt,
  own?: TendersLeft,
): Promise<PutAway | undefined> {
  let refusal: FiscalError | "changed" | undefined;
  const busy = new BusyWait(actions.environment);
  for (let round = 0; round < ROUNDS_MAX; ) {
    const now = await actions.read();
    if (!isSameReceipt(found, now)) return undefined;
    // Where numbers tell nothing, what is worth something else by now may be another's.
    if (own && now.amountMinor !== found.amountMinor) return undefined;
    const isFinal = actions.mustBeFinished(now);
    // What is kept of a payment on ours was decided by `found`: it is decided anew before this ends.
    if (own && isFinal !== actions.mustBeFinished(found)) return undefined;
    if (isFinal && actions.environment.mayFinish?.() === false) throw new MustStayOpen();
    const ended = isFinal ? await finish(actions, now, own) : await actions.cancel();
    const isFinished = ended === "finished" || (isFinal && ended === undefined);
    refusal = ended === "finished" ? undefined : ended;
    if (refusal !== "changed" && (await busy.passed(refusal))) continue;
    round += 1;
    if (refusal === "changed") continue;
    if (!refusal) {
      const { items, amountMinor, paidMinor } = now;
      const done = isFinished ? "finished" : "cancelled";
      const inCashMinor = isFinal ? (own?.inCashMinor ?? amountMinor - paidMinor) : 0;
      notePutAway(actions.environment, done, {
        ...{ number: actions.toldNumber(now), items, amountMinor, paidMinor },
        ...(inCashMinor > 0 && { inCashMinor }),
      });
      return done;
    }
    if (isFinal && isPauseFault(refusal)) throw refusal;
  }
  if (refusal === "changed") return undefined;
  throw refusal ?? new FiscalError("E305", "The open receipt cannot be put away");
}

function isSameReceipt(found: FoundReceipt, now: FoundReceipt): boolean {
  return now.open && now.number === found.number;
}

/** What stands open before ours and is put away; a device has no more than one of each kind. */
const FOREIGN_MAX = 3;

/** What a device shows before a document begins. */
export type FoundOnDevice<Reading> =
  /** Something stands open. */
  | { putAway(): Promise<unknown> }
  /** Nothing does: what was read. */
  | { readonly clear: Reading };

/**
 * Puts away what stands open on a device, so that a document begins clean.
 * @param look reads the device, and refuses what would make any document fail
 * @throws FiscalError E301 when something stays open, and what `look` throws
 */
export async function clearDevice<Reading>(
  look: () => Promise<FoundOnDevice<Reading>>,
): Promise<Reading> {
  for (let round = 0; round < FOREIGN_MAX; round += 1) {
    const found = await look();
    if ("clear" in found) return found.clear;
    await found.putAway();
  }
  throw new FiscalError("E301", "A receipt stays open on the device: close it there");
}

/**
 * Writes a receipt that was put away into the log and the audit log.
 * @param receipt `number`: undefined where it is not proven to be its own; `inCashMinor`: what it
 *   holds in cash because it was put away
 */
export function notePutAway(
  environment: Pick<DriverEnvironment, "log" | "note">,
  done: PutAway,
  {
    number,
    ...sums
  }: { readonly number: number | undefined; readonly inCashMinor?: number } & Partial<Sums>,
): void {
  // Readers of the audit log know it by this name.
  const details = { settlement: done, ...(number === undefined ? {} : { number }), ...sums };
  environment.log("warn", "a receipt that stood open was put away", details);
  environment.note("receipt.put_away", details);
}

/**
 * False where others have rung up what stands open, or a part of it, as far as its sums tell.
 * @param ours as a document is cancelled with
 */
export function isOursAlone(found: Sums, ours: readonly Sums[]): boolean {
  return found.amountMinor === 0 || ours.some((sums) => sameSums(found, sums));
}

/**
 * Notes a receipt of others that was cancelled with a document of ours, or in the place of it.
 * @param number as `notePutAway` has it
 */
export function noteTheirs(
  environment: Pick<DriverEnvironment, "log" | "note">,
  { items, amountMinor, paidMinor }: Sums,
  number: number | undefined,
): void {
  notePutAway(environment, "cancelled", { number, items, amountMinor, paidMinor });
}

/** @param found as it was read right before */
async function finish<Receipt extends FoundReceipt>(
  actions: ReceiptActions<Receipt>,
  found: Receipt,
  own: TendersLeft | undefined,
): Promise<FiscalError | "changed" | undefined> {
  let { paidMinor } = found;
  for (const [index, payment] of remainingTenders(own?.tenders ?? [], found).entries()) {
    const now = index === 0 ? found : await actions.read();
    const isAsLeft = isSameReceipt(found, now) && sameSums(now, { ...found, paidMinor });
    if (!isAsLeft) return "changed";
    const refusal = await actions.pay(payment);
    if (refusal instanceof DeviceBusy) return refusal;
    if (refusal && own && saysNoToTender(refusal))
      return payInCash(actions, found, { own, refusal });
    if (refusal) return refusal;
    paidMinor += payment.amountMinor;
  }
  return actions.close();
}

/**
 * A state that ends says nothing against the tender, which is to be paid as it was sent once the
 * device can go on. That a receipt is open does not end by itself: it is ours.
 */
function saysNoToTender(refusal: FiscalError): boolean {
  return refusal.code === "E301" || !isStateRefusal(refusal);
}

/** Where a tender is refused, what is left is paid in cash: the receipt must not stay open. */
async function payInCash<Receipt extends FoundReceipt>(
  actions: ReceiptActions<Receipt>,
  found: Receipt,
  { own, refusal }: { readonly own: TendersLeft; readonly refusal: FiscalError },
): Promise<FiscalError | "changed" | undefined> {
  const now = await actions.read();
  const restMinor = now.amountMinor - now.paidMinor;
  if (!isSameReceipt(found, now)) return "changed";
  if (restMinor <= 0) return actions.close();
  // Cash itself was refused.
  if (remainingTenders(own.tenders, now).every(({ method }) => method === "cash")) return refusal;
  actions.environment.log("warn", "a tender was refused, the rest is paid in cash", {
    number: now.number,
    restMinor,
    reason: refusal.code,
  });
  await own.replaceByCash(restMinor);
  // Storing that may have taken long, and others may have put one of theirs in its place.
  const still = await actions.read();
  if (!isSameReceipt(now, still) || !sameSums(still, now)) return "changed";
  const again = await actions.pay({ method: "cash", amountMinor: restMinor });
  return again ?? actions.close();
}
