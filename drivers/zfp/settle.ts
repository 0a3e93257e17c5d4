/** Puts away a receipt that stands open on the device: cancelled, or finished where it is paid. */

import { FiscalError } from "#core/errors.ts";
import type { Payment } from "#core/receipt.ts";
import { type Account, readAccount } from "./account.ts";
import type { ZfpDevice } from "./device.ts";
import { paymentData } from "./plan.ts";

/** Cancelling and finishing may each turn out to be impossible once; more rounds change nothing. */
const ROUNDS_MAX = 3;

/**
 * Leaves no fiscal receipt open. One without payments is cancelled. One that holds a payment would
 * be finished by the device itself when told to cancel, so the rest is paid as it should be.
 * @param tenders how a document of ours was to be paid; without, the rest is cash
 * @throws FiscalError when the device refuses both
 */
export async function settleOpenReceipt(
  device: ZfpDevice,
  found: Account,
  tenders: readonly Payment[] = [],
): Promise<void> {
  let now = found;
  let refusal: FiscalError | undefined;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const settlement = now.paymentStarted ? "finished" : "cancelled";
    refusal = now.paymentStarted
      ? await finish(device, now, tenders)
      : (await device.send("cancelReceipt")).fault;
    if (!refusal) {
      const { number, items, amountMinor, paidMinor } = now;
      const details = { settlement, number, items, amountMinor, paidMinor };
      device.environment.log("warn", "a receipt that stood open was put away", details);
      device.environment.note("receipt.put_away", details);
      return;
    }
    now = await readAccount(device);
    if (!now.open) return;
  }
  throw refusal ?? new FiscalError("E305", "The open receipt cannot be put away");
}

async function finish(
  device: ZfpDevice,
  now: Account,
  tenders: readonly Payment[],
): Promise<FiscalError | undefined> {
  for (const payment of remainingTenders(tenders, now)) {
    const answer = await device.send("payment", paymentData(payment, device.dialect));
    if (answer.fault) return payInCash(device, answer.fault);
  }
  return (await device.send("closeReceipt")).fault;
}

/** Where a tender is refused, what is left is paid in cash: the receipt must not stay open. */
async function payInCash(
  device: ZfpDevice,
  refusal: FiscalError,
): Promise<FiscalError | undefined> {
  const now = await readAccount(device);
  const rest = now.amountMinor - now.paidMinor;
  if (!now.open || rest <= 0) {
    return now.open ? (await device.send("closeReceipt")).fault : undefined;
  }
  device.environment.log("warn", "a tender was refused, the rest is paid in cash", {
    number: now.number,
    restMinor: rest,
    reason: refusal.code,
  });
  const cash = paymentData({ method: "cash", amountMinor: rest }, device.dialect);
  return (await device.send("payment", cash)).fault ?? (await device.send("closeReceipt")).fault;
}

/** The tenders not yet covered by what was paid, and cash for what they leave open. */
export function remainingTenders(
  tenders: readonly Payment[],
  now: Pick<Account, "amountMinor" | "paidMinor">,
): Payment[] {
  let paid = now.paidMinor;
  let rest = now.amountMinor - now.paidMinor;
  const remaining: Payment[] = [];
  for (const payment of tenders) {
    const covered = Math.min(paid, payment.amountMinor);
    paid -= covered;
    const amountMinor = Math.min(payment.amountMinor - covered, rest);
    if (amountMinor <= 0) continue;
    rest -= amountMinor;
    remaining.push({ method: payment.method, amountMinor });
  }
  if (rest > 0) remaining.push({ method: "cash", amountMinor: rest });
  return remaining;
}
