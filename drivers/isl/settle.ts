/** Puts away a receipt that stands open on the device: cancelled, or finished where it is paid. */

import { FiscalError } from "#core/errors.ts";
import type { Payment } from "#core/receipt.ts";
import type { IslDevice } from "./device.ts";
import { paymentValues } from "./plan.ts";
import { readTransaction, type Transaction } from "./transaction.ts";

export type Settlement = "cancelled" | "finished";

/** Cancelling and finishing may each turn out to be impossible once; more rounds change nothing. */
const ROUNDS_MAX = 3;

/**
 * Leaves no fiscal receipt open. One without payments is cancelled; one that holds a payment
 * cannot be cancelled any more, so the rest is paid and it is closed.
 * @param tenders how a document of ours was to be paid; without, the rest is cash
 * @throws FiscalError when the device refuses both
 */
export async function settleOpenReceipt(
  device: IslDevice,
  found: Transaction,
  tenders: readonly Payment[] = [],
): Promise<Settlement> {
  let now = found;
  let refusal: FiscalError | undefined;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const settlement = now.paidMinor > 0 ? "finished" : "cancelled";
    refusal =
      settlement === "cancelled"
        ? (await device.send("cancel")).fault
        : await finish(device, now, tenders);
    if (!refusal) {
      const { number, items, amountMinor, paidMinor } = now;
      const details = { settlement, number, items, amountMinor, paidMinor };
      device.environment.log("warn", "a receipt that stood open was put away", details);
      device.environment.note("receipt.put_away", details);
      return settlement;
    }
    now = await readTransaction(device);
    if (!now.open) return now.paidMinor > 0 ? "finished" : "cancelled";
  }
  throw refusal ?? new FiscalError("E305", "The open receipt cannot be put away");
}

async function finish(
  device: IslDevice,
  now: Transaction,
  tenders: readonly Payment[],
): Promise<FiscalError | undefined> {
  for (const payment of remainingTenders(tenders, now)) {
    const answer = await device.send(
      "payment",
      paymentValues(payment, device.dialect),
      "unless_silent",
    );
    if (answer.fault) return payInCash(device, answer.fault);
  }
  return (await device.send("close")).fault;
}

/** Where a tender is refused, what is left is paid in cash: the receipt must not stay open. */
async function payInCash(
  device: IslDevice,
  refusal: FiscalError,
): Promise<FiscalError | undefined> {
  const now = await readTransaction(device);
  const rest = now.amountMinor - now.paidMinor;
  if (!now.open || rest <= 0) return now.open ? (await device.send("close")).fault : undefined;
  device.environment.log("warn", "a tender was refused, the rest is paid in cash", {
    number: now.number,
    restMinor: rest,
    reason: refusal.code,
  });
  const cash = paymentValues({ method: "cash", amountMinor: rest }, device.dialect);
  const answer = await device.send("payment", cash, "unless_silent");
  return answer.fault ?? (await device.send("close")).fault;
}

/**
 * The tenders that are still to come after a part was paid: those not yet covered, and cash for
 * what they leave open.
 */
export function remainingTenders(
  tenders: readonly Payment[],
  now: Pick<Transaction, "amountMinor" | "paidMinor">,
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
