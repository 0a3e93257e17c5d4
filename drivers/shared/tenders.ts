/** The tenders of a document: those it is paid with, and those that are left of it. */

import { FiscalError } from "#core/errors.ts";
import { formatMinor } from "#core/money.ts";
import { PAYMENT_METHODS, type Payment, type PaymentMethod } from "#core/receipt.ts";
import { balancedPayments, paymentsTotalMinor } from "#core/receipt-total.ts";
import type { DocumentStep } from "./document-protocol.ts";
import { NO_SUMS, type Sums } from "./sums.ts";

/**
 * The tenders, with the last one set right by the one minor unit that the rounding of the lines
 * may make.
 * @param totalMinor what the device will add the document up to
 * @throws FiscalError E402 when the document is worth nothing, or is paid with another amount
 */
export function balanceTenders(payments: readonly Payment[], totalMinor: number): Payment[] {
  if (totalMinor <= 0) throw new FiscalError("E402", "The document's total is zero");
  const balanced = balancedPayments(payments, totalMinor);
  if (balanced !== undefined) return balanced;
  const total = formatMinor(totalMinor);
  throw new FiscalError("E402", `The device's total is ${total}; the payments differ from it`);
}

/** A document as frames, on devices that are paid before they close it. */
export interface PaidDocument<Step extends DocumentStep> {
  /** Texts, sales and adjustments, all of which can still be cancelled. */
  readonly lines: readonly Step[];
  /** Once the first of these was carried out, the document can only be finished. */
  readonly payments: readonly Step[];
  /** The tenders behind `payments`, adding up to the total. */
  readonly tenders: readonly Payment[];
  /** What the device must count when all is paid. */
  readonly paid: Sums;
}

/**
 * Adds the payments to the lines of a document.
 * @param frameOf the frame of one tender
 * @throws FiscalError as `balanceTenders` and `frameOf`
 */
export function payFor<Frame extends object>(
  lines: readonly (Frame & DocumentStep)[],
  payments: readonly Payment[],
  frameOf: (payment: Payment) => Frame,
): PaidDocument<Frame & DocumentStep> {
  let paid = lines.at(-1)?.after ?? NO_SUMS;
  const tenders = balanceTenders(payments, paid.amountMinor);
  const steps = tenders.map((payment) => {
    paid = { ...paid, paidMinor: paid.paidMinor + payment.amountMinor };
    return { ...frameOf(payment), after: paid };
  });
  return { lines, payments: steps, tenders, paid };
}

/**
 * The tenders that are still to come after a part was paid: those not yet covered, and cash for
 * what they leave open.
 */
export function remainingTenders(
  tenders: readonly Payment[],
  now: Pick<Sums, "amountMinor" | "paidMinor">,
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

/** The tenders where the last `cashMinor` of them are paid in cash, whatever they were to be. */
export function lastInCash(tenders: readonly Payment[], cashMinor: number): readonly Payment[] {
  if (cashMinor === 0) return tenders;
  let before = paymentsTotalMinor(tenders) - cashMinor;
  const kept: Payment[] = [];
  for (const { method, amountMinor } of tenders) {
    const left = Math.min(amountMinor, before);
    if (left <= 0) break;
    before -= left;
    kept.push({ method, amountMinor: left });
  }
  return [...kept, { method: "cash", amountMinor: cashMinor }];
}

/** The device's signs by method, as far as it has them. */
export type TenderSigns<Sign> = Readonly<Partial<Record<PaymentMethod, Sign>>>;

/** Signs with which no tender is refused, for the plan of a document in doubt: its frames are not sent. */
export const ANY_TENDERS: TenderSigns<string> = Object.fromEntries(
  PAYMENT_METHODS.map((method) => [method, ""]),
);

/** The tenders that a device takes: the others are refused by `tenderSign`. */
export function tendersTaken(signs: TenderSigns<unknown>): readonly PaymentMethod[] {
  return PAYMENT_METHODS.filter((method) => signs[method] !== undefined);
}

/**
 * The device's sign for a tender.
 * @throws FiscalError E400 for a tender the device lacks
 */
export function tenderSign<Sign>(payment: Payment, signs: TenderSigns<Sign>): Sign {
  const sign = signs[payment.method];
  if (sign !== undefined) return sign;
  throw noSuchTender(payment, signs);
}

/** E400 for a tender the device lacks. */
export function noSuchTender({ method }: Payment, signs: TenderSigns<unknown>): FiscalError {
  const known = Object.keys(signs).join(", ");
  return new FiscalError("E400", `payments: this device takes ${known}, not ${method}`);
}
