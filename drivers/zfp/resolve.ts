/**
 * Finds out what became of a fiscal document that broke off, and leaves no document open.
 *
 * `judge` is the rule, pure: what was stored before the break and what the device says now, to
 * what is to be done or told. `resolveDocument` reads, acts and asks again until it is told.
 */

import { DOUBTS } from "#core/command/doubt.ts";
import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Evidence, Resolution } from "#core/driver.ts";
import { OwnTenders } from "../shared/own-tenders.ts";
import {
  hasNoLines,
  numberIn,
  numberOrNullIn,
  type Progress,
  resolveInRounds,
  SeenPayment,
  type Trace,
  type Verdict,
  verdictOf,
} from "../shared/resolution.ts";
import { type Sums, sameSums } from "../shared/sums.ts";
import type { ResolveContext } from "./command.ts";
import type { ZfpDevice } from "./device.ts";
import type { PrintedDocument } from "./document.ts";
import type { DocumentPlan } from "./plan.ts";
import { putAwayOpenReceipt } from "./put-away.ts";
import {
  type CurrentReceipt,
  type IssuedReceipt,
  isOursOpen,
  type LastReceipt,
  readCounter,
  readCurrentReceipt,
  readLastReceipt,
  readPaid,
  readReceiptAt,
} from "./receipts.ts";

/** What was stored of a document before it broke off. */
export interface DocumentEvidence extends Progress {
  /** The last receipt that the device had issued before ours. */
  readonly number: number;
  /** The device's own count of receipts then. */
  readonly counter: number;
  /** Our document's own number, once it was opened. */
  readonly ownNumber: number | null;
  /** True when it was seen with a payment: what the device issues under its number is ours. */
  readonly paid: boolean;
}

/** What the device says now. */
export interface Reading {
  /** What stands open may be ours. */
  readonly open: boolean;
  /** Its own count of receipts. */
  readonly counter: number;
  /** True when a receipt without payments was found open, and cancelled. */
  readonly cancelled: boolean;
  /** The last receipt that it has issued. */
  readonly last: IssuedReceipt;
  /** The receipt with our number, where it has issued one. */
  readonly own: IssuedReceipt | undefined;
  /** What was paid on `last`, where that is ours. */
  readonly paidMinor: number | null;
}

/**
 * Judges a document in doubt.
 * @param ours the sums of the whole document: all lines, all payments
 */
export function judge(
  evidence: DocumentEvidence,
  ours: Sums,
  reading: Reading,
): Verdict<{ readonly receipt: PrintedDocument }> {
  return verdictOf(evidence, ours, {
    mayStandOpen: reading.open,
    confirmed: () => ({ receipt: ownReceipt(evidence, reading) }),
    trace: () => traceOf(evidence, reading),
  });
}

/**
 * What our receipt is known by. Where a device counts receipts only when they are closed, what looks
 * like our number may be that of somebody else's which came before ours; then another one has followed.
 */
function ownReceipt(evidence: DocumentEvidence, { last, own }: Reading): PrintedDocument {
  const isKnown = own !== undefined && last.number === evidence.ownNumber;
  return isKnown ? own : { number: null, issuedAt: null };
}

function traceOf(
  evidence: DocumentEvidence,
  reading: Reading,
): Trace<{ readonly receipt: PrintedDocument }> {
  const { last, own } = reading;
  if (reading.cancelled) return { kind: "gone", reason: "The document was cancelled" };
  if (last.number === evidence.number && reading.counter === evidence.counter) {
    return { kind: "gone", reason: "The device has issued no receipt since" };
  }
  if (last.number === evidence.number) {
    return {
      kind: "untold",
      doubt: DOUBTS.notTold(`of the receipt ${reading.counter} it counted`),
    };
  }
  if (!own) {
    return { kind: "untold", doubt: DOUBTS.otherNumber(last.number, evidence.ownNumber) };
  }
  // Ours may have been annulled, and its number be that of the next one.
  if (!evidence.paid) {
    return { kind: "untold", doubt: DOUBTS.maybeTheirs() };
  }
  return {
    kind: "finished",
    counted: { items: null, amountMinor: own.amountMinor, paidMinor: reading.paidMinor },
    printed: { receipt: ownReceipt(evidence, reading) },
  };
}

/**
 * Resolves a document.
 * @param describe makes the result of a printed document
 * @throws FiscalError a line fault, or E306/E307 while the device cannot print: ask again later
 */
export async function resolveDocument(
  device: ZfpDevice,
  doubt: { readonly plan: DocumentPlan } & Pick<ResolveContext, "evidence" | "keep">,
  describe: (printed: PrintedDocument) => CommandSuccess<ReceiptResult>,
): Promise<Resolution<ReceiptResult>> {
  const { plan } = doubt;
  const own = new OwnTenders(plan.tenders, doubt);
  const payment = new SeenPayment(device.environment, doubt);
  let evidence = readEvidence(doubt.evidence);
  let cancelled = false;
  return resolveInRounds(
    async () => {
      const current = await readCurrentReceipt(device);
      const reading = { ...(await readBack(device, evidence, current)), cancelled };
      return {
        verdict: judge(evidence, plan.paid, reading),
        putAway: async () => {
          const holdsAll = hasSums(current, plan.paid);
          // Where receipts are counted once they are closed, the next one shows the number of ours too.
          const mayBeNext =
            evidence.ownNumber !== null && reading.last.number >= evidence.ownNumber;
          // What was seen with its payment does not stand there without one.
          const mayBeOurs = holdsAll && (current.paymentStarted || !evidence.paid);
          const isOurs = reading.open && isNumbered(evidence) && (!mayBeNext || mayBeOurs);
          const open = { isOurs, isPaying: current.paymentStarted, holdsAll };
          const { paid, isLate } = await payment.look(evidence, open);
          evidence = { ...evidence, paid };
          if (isLate) return;
          // Only a document that is ours is finished with our tenders.
          const seen = { found: current, last: reading.last };
          const done = await putAwayOpenReceipt(device, seen, isOurs ? own : undefined);
          cancelled = isOurs && !mayBeNext && done === "cancelled";
        },
      };
    },
    ({ receipt }) => own.toldIn(describe(receipt)),
  );
}

async function readBack(
  device: ZfpDevice,
  evidence: DocumentEvidence,
  current: CurrentReceipt,
): Promise<Omit<Reading, "cancelled"> & { readonly last: LastReceipt }> {
  const { open } = current;
  const last = await readLastReceipt(device);
  const number = evidence.ownNumber ?? evidence.number + 1;
  const isLast = last.number === number && !open;
  const isPast = last.number > number;
  return {
    open: mayStandOpen(evidence, current),
    counter: await readCounter(device),
    last,
    own: isLast ? last : isPast ? await readReceiptAt(device, number) : undefined,
    paidMinor: isLast ? await readPaid(device) : null,
  };
}

/** True once our number is known. */
function isNumbered({ mark }: DocumentEvidence): boolean {
  return mark !== "baseline";
}

/** Until our number is known it may be any; but without lines it holds no payment. */
function mayStandOpen(evidence: DocumentEvidence, current: CurrentReceipt): boolean {
  if (isNumbered(evidence)) return isOursOpen(evidence, current);
  return current.open && !(hasNoLines(evidence) && current.paymentStarted);
}

function hasSums(current: CurrentReceipt, paid: Sums): boolean {
  return sameSums({ ...current, paidMinor: paid.paidMinor }, paid);
}

function readEvidence({ mark, mayBeFurther = false, baseline }: Evidence): DocumentEvidence {
  const { ownNumber = null, paid } = baseline;
  return {
    mark,
    mayBeFurther,
    number: numberIn(baseline.number),
    counter: numberIn(baseline.counter),
    ownNumber: numberOrNullIn(ownNumber),
    paid: paid === true,
  };
}
