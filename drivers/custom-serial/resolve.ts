/**
 * Finds out what became of a fiscal document that broke off, and leaves no document open.
 *
 * `judge` is the rule, pure: what was stored before the break and what the device says now, to
 * what is to be done or told. `resolveDocument` reads, acts and asks again until it is told.
 */

import { DOUBTS, type Doubt } from "#core/command/doubt.ts";
import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Evidence, Resolution } from "#core/driver.ts";
import { isPauseFault } from "#core/errors.ts";
import { foreignBaseline } from "../shared/document-faults.ts";
import { OwnTenders } from "../shared/own-tenders.ts";
import {
  numberOrNullIn,
  type Progress,
  resolveInRounds,
  SeenPayment,
  type Trace,
  type Verdict,
  verdictOf,
} from "../shared/resolution.ts";
import type { Sums } from "../shared/sums.ts";
import type { ResolveContext } from "./command.ts";
import type { CustomDevice } from "./device.ts";
import { isOurs, type PrintedDocument, toPrinted } from "./document.ts";
import type { DocumentSums } from "./plan.ts";
import { eject, putAwayOpenReceipt } from "./put-away.ts";
import {
  type CurrentReceipt,
  type DocumentBaseline,
  isFirstSince,
  type LastDocument,
  readCurrentReceipt,
  readLastDocument,
} from "./receipts.ts";
import { readZNumber } from "./z-number.ts";

/** What was stored of a document before it broke off. */
export interface DocumentEvidence extends DocumentBaseline, Progress {
  /** True when it was seen with a payment: what the device closes under its number is ours. */
  readonly paid: boolean;
}

/** What this resolution itself has done with the document. */
export type Deed =
  /** It stood open, and was cancelled. */
  | "cancelled"
  /** All of it stood there, partly paid, and was paid and closed. */
  | "finished"
  /** It stood closed, and was cut off: nobody had touched it since. */
  | "ejected";

/** What the device says now. */
export interface Reading {
  /** Something stands open, or stands closed and not cut off. */
  readonly isBusy: boolean;
  /** A closed receipt could not be cut off. */
  readonly isUncut: boolean;
  /** Undefined when the device cannot tell of its documents. */
  readonly last: LastDocument | undefined;
  readonly zNumber: number | null;
  readonly deed: Deed | undefined;
}

/**
 * Judges a document in doubt.
 * @param ours the sums of the whole document: all lines, all payments
 */
export function judge(
  evidence: DocumentEvidence,
  ours: Sums,
  reading: Reading,
): Verdict<{ readonly document: PrintedDocument }> {
  // Also behind a closing that was confirmed: what is not cut off stands in everybody's way.
  if (reading.isBusy) return { kind: "stands_open" };
  return verdictOf(evidence, ours, {
    mayStandOpen: false,
    confirmed: () => {
      const { last, zNumber } = reading;
      const isTold = last !== undefined && isOurs(evidence, { last, zNumber }, ours);
      return { document: toPrinted(isTold ? last : undefined, evidence) };
    },
    trace: () => traceOf(evidence, ours, reading),
  });
}

function traceOf(
  evidence: DocumentEvidence,
  ours: Sums,
  { last, deed, zNumber, isUncut }: Reading,
): Trace<{ readonly document: PrintedDocument }> {
  // Numbers begin anew after each Z report, and times are told to the minute.
  if (zNumber !== evidence.zNumber) return untold(DOUBTS.zReportSince());
  if (!last || evidence.trace === null) return untold(DOUBTS.notTold("of its documents"));
  if (last.trace === evidence.trace) {
    // It may tell of what stands there only once that is cut off.
    if (isUncut) return untold(DOUBTS.notTold("of the receipt that was not cut off"));
    return zNumber === null
      ? untold(DOUBTS.notTold("of its Z reports"))
      : { kind: "gone", reason: "The device has closed no document since" };
  }
  const isFirst = isFirstSince(evidence, { last, zNumber });
  if (deed === "cancelled" && noneWasFinished(evidence, last, isFirst)) {
    return { kind: "gone", reason: "The document was cancelled" };
  }
  if (!isFirst) {
    return untold(DOUBTS.othersPrinted(`The device has closed document ${last.number} since`));
  }
  if (last.cancelled === true) return { kind: "gone", reason: "The document was cancelled" };
  // We had not paid it, and may have sent no line of it yet.
  if (deed !== undefined && evidence.mark === "opened") {
    return { kind: "altered", doubt: DOUBTS.finishedByHand() };
  }
  // Nobody but us has touched the document, so what the device closed last is ours.
  const isWitnessed = deed === "finished" || (deed === "ejected" && evidence.paid);
  // Ours may have been cancelled, and its number be that of the next one: what we have cancelled held
  // no payment, whatever was seen before.
  if (!isWitnessed && (!evidence.paid || deed === "cancelled")) {
    return untold(DOUBTS.maybeTheirs());
  }
  // The sums of a witnessed one were compared while it stood there.
  const amountMinor = last.totalMinor ?? (isWitnessed ? ours.amountMinor : null);
  return {
    kind: "finished",
    counted: { items: null, amountMinor, paidMinor: null },
    printed: { document: toPrinted(last, evidence) },
  };
}

/**
 * Whoever finished ours right before we cancelled may have opened the next one, which was cancelled
 * then. So no document may have been counted since, or only one of which the device says that it was
 * cancelled.
 */
function noneWasFinished(
  { number }: DocumentEvidence,
  last: LastDocument,
  isFirst: boolean,
): boolean {
  if (last.number !== number) return isFirst && last.cancelled === true;
  return last.cancelled !== false || last.isBehind;
}

function untold(doubt: Doubt) {
  return { kind: "untold" as const, doubt };
}

/**
 * Resolves a document.
 * @param describe makes the result of a printed document
 * @throws FiscalError a line fault, or E306/E307 while the device cannot print: ask again later
 */
export async function resolveDocument(
  device: CustomDevice,
  doubt: { readonly sums: DocumentSums } & Pick<ResolveContext, "evidence" | "keep">,
  describe: (printed: PrintedDocument) => CommandSuccess<ReceiptResult>,
): Promise<Resolution<ReceiptResult>> {
  const { paid: whole, tenders } = doubt.sums;
  const own = new OwnTenders(tenders, doubt);
  const payment = new SeenPayment(device.environment, doubt);
  let evidence = readEvidence(doubt.evidence);
  let deed: Deed | undefined;
  let wasEjected = false;
  return resolveInRounds(
    async () => {
      const now = await read(device);
      const { current, last, zNumber } = now;
      // A receipt that cannot be cut off is closed all the same.
      const isUncut = current.isClosed && wasEjected;
      const isBusy = current.open || now.slipOpen || (current.isClosed && !wasEjected);
      return {
        verdict: judge(evidence, whole, { isBusy, isUncut, last, zNumber, deed }),
        putAway: async () => {
          if (now.slipOpen) return closeSlip(device);
          // Only while nothing was closed since is what stands there certainly ours.
          const isNext = evidence.mark !== "baseline" && isNextToClose(evidence, now);
          const holdsAll = current.amountMinor === whole.amountMinor;
          const open = { isOurs: isNext && current.open, isPaying: current.isPaying, holdsAll };
          const { paid, isLate } = await payment.look(evidence, open);
          evidence = { ...evidence, paid };
          if (isLate) return;
          const ours = isNext ? { own, amountMinor: whole.amountMinor } : undefined;
          const done = await putAwayOurs(device, current, ours);
          wasEjected ||= done === "ejected";
          if (isNext) deed ??= done;
        },
      };
    },
    ({ document }) => own.toldIn(describe(document)),
  );
}

interface Now {
  readonly current: CurrentReceipt;
  readonly slipOpen: boolean;
  readonly last: LastDocument | undefined;
  readonly zNumber: number | null;
}

async function read(device: CustomDevice): Promise<Now> {
  const position = await device.readPosition();
  return {
    current: await readCurrentReceipt(device),
    slipOpen: position?.slipOpen ?? false,
    last: await readLastDocument(device),
    zNumber: await readZNumber(device),
  };
}

/**
 * True when nothing was finished since the baseline but what stands there. One that is closed and not
 * cut off may be told of as the last one already.
 */
function isNextToClose(evidence: DocumentEvidence, { current, last, zNumber }: Now): boolean {
  // No day can be closed while ours stands there.
  if (last === undefined || zNumber !== evidence.zNumber) return false;
  if (last.trace === evidence.trace) return true;
  return current.isClosed && isFirstSince(evidence, { last, zNumber });
}

async function closeSlip(device: CustomDevice): Promise<void> {
  await device.ask("slipClose");
}

/** @returns what was done, as far as it says something of our document */
async function putAwayOurs(
  device: CustomDevice,
  current: CurrentReceipt,
  ours: { readonly own: OwnTenders; readonly amountMinor: number } | undefined,
): Promise<Deed | undefined> {
  if (current.isClosed) {
    const fault = await eject(device);
    if (fault && isPauseFault(fault)) throw fault;
    return "ejected";
  }
  // Only a document that is ours is finished with our tenders.
  const done = await putAwayOpenReceipt(device, current, ours?.own);
  const isWhole = current.amountMinor === ours?.amountMinor;
  return done === "finished" && !isWhole ? undefined : done;
}

function readEvidence({ mark, mayBeFurther = false, baseline }: Evidence): DocumentEvidence {
  const { trace, paid } = baseline;
  if (trace !== null && typeof trace !== "string") throw foreignBaseline();
  return {
    mark,
    mayBeFurther,
    number: numberOrNullIn(baseline.number),
    trace,
    zNumber: numberOrNullIn(baseline.zNumber),
    paid: paid === true,
  };
}
