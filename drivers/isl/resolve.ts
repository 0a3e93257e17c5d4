/**
 * Finds out what became of a fiscal document that broke off, and leaves no document open.
 *
 * `judge` is the rule, pure: what was stored before the break and what the device says now, to
 * what is to be done or told. `resolveDocument` reads, acts and asks again until it is told.
 */

import { DOUBTS } from "#core/command/doubt.ts";
import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Evidence, Resolution } from "#core/driver.ts";
import type { DocumentStep } from "../shared/document-protocol.ts";
import { OwnTenders } from "../shared/own-tenders.ts";
import {
  hasNoLines,
  numberIn,
  numberOrNullIn,
  type Progress,
  resolveInRounds,
  type Trace,
  type Verdict,
  verdictOf,
} from "../shared/resolution.ts";
import { NO_SUMS, type Sums } from "../shared/sums.ts";
import type { PaidDocument } from "../shared/tenders.ts";
import type { ResolveContext } from "./command.ts";
import type { IslDevice } from "./device.ts";
import type { PrintedDocument } from "./document.ts";
import type { DocumentPlan } from "./plan.ts";
import { putAwayOpenReceipt } from "./put-away.ts";
import {
  isBlank,
  isNumberSeen,
  isOursOpen,
  LINES_WAIT,
  type OwnNumber,
  ownNumberOf,
  type Reading,
  readBack,
  whyGone,
} from "./receipts.ts";

/** Where a baseline keeps `hasEndedTheirs`. */
const ENDED_THEIRS = "endedTheirs";

/** What is known of a document that broke off. */
export interface DocumentEvidence extends OwnNumber, Progress {
  /** True once this resolution has cancelled it, and the device has confirmed that. */
  readonly isCancelled?: boolean;
  /** True once what may as well have been the receipt behind ours is put away, or about to be. */
  readonly hasEndedTheirs?: boolean;
}

/** What a document that was printed is known by. */
interface Known extends Pick<PrintedDocument, "number"> {
  /** True when the device's last receipt is ours. */
  readonly isLast: boolean;
}

/** What was planned, as the device would count it. */
type Planned = Pick<PaidDocument<DocumentStep>, "lines" | "paid">;

/** Judges a document in doubt. */
export function judge(
  evidence: DocumentEvidence,
  planned: Planned,
  reading: Reading,
): Verdict<Known> {
  return verdictOf(evidence, planned.paid, {
    mayStandOpen: isOursOpen(evidence, reading) && isPutAway(evidence, planned, reading),
    confirmed: () => {
      const ownNumber = ownNumberOf(evidence);
      const isLast = reading.number === ownNumber && !reading.open;
      const isNumberKnown = evidence.ownNumber !== null || isLast;
      return { number: isNumberKnown ? ownNumber : null, isLast };
    },
    trace: () => traceOf(evidence, reading),
  });
}

/** True when what stands open under a number of ours is put away. */
function isPutAway(evidence: DocumentEvidence, planned: Planned, reading: Reading): boolean {
  // What holds a payment while no line of ours was sent is none of ours.
  if (hasNoLines(evidence)) return reading.paidMinor === 0;
  // With the baseline alone it is in any case: the next document could not begin beside it.
  return evidence.mark === "baseline" || holdsOurs(evidence, planned, reading);
}

/**
 * True when what stands open under a number of ours is ours. Where that number may as well be the
 * next one, it must hold what ours can hold by then: whoever has finished ours by hand may be
 * ringing up the one behind it.
 */
function holdsOurs(evidence: DocumentEvidence, planned: Planned, reading: Reading): boolean {
  if (isNumberSeen(evidence)) return true;
  const { lines, paid } = planned;
  const isAt = ({ items, amountMinor }: Sums) =>
    reading.items === items && reading.amountMinor === amountMinor;
  if (reading.paidMinor > 0) return isAt(paid);
  const registered = [NO_SUMS, ...lines.map(({ after }) => after)];
  // It is stored during the last line.
  return (evidence.mark === "committing" ? registered.slice(-2) : registered).some(isAt);
}

/**
 * True when what is about to be cancelled may be the receipt behind ours, which can begin as ours does:
 * on a device of which it was not seen whether it counts a receipt when it opens. One that is finished
 * tells itself by its number.
 */
function mayBeNext(device: IslDevice, evidence: DocumentEvidence, reading: Reading): boolean {
  const { number, paidMinor } = reading;
  const isCountedApart = device.can("lastDocument") && !isNumberSeen(evidence);
  return isCountedApart && number !== evidence.number && paidMinor === 0;
}

function mayBePaid({ mark, isCancelled = false }: DocumentEvidence): boolean {
  return mark === "committing" && !isCancelled;
}

function traceOf(evidence: DocumentEvidence, reading: Reading): Trace<Known> {
  const ownNumber = ownNumberOf(evidence);
  // That one took its number behind ours, or none: what it shows is nothing of ours.
  if (evidence.hasEndedTheirs && reading.number !== evidence.number) {
    return { kind: "untold", doubt: DOUBTS.maybeTheirs() };
  }
  const reason = whyGone(evidence, reading, mayBePaid(evidence));
  if (reason !== undefined) return { kind: "gone", reason };
  if (reading.open && !isNumberSeen(evidence) && isOursOpen(evidence, reading)) {
    return { kind: "untold", doubt: DOUBTS.otherSums() };
  }
  if (reading.open || reading.number !== ownNumber) {
    return { kind: "untold", doubt: DOUBTS.otherNumber(reading.number, ownNumber) };
  }
  if (isBlank(reading)) {
    return { kind: "untold", doubt: DOUBTS.notTold("what its last receipt was worth") };
  }
  return { kind: "finished", counted: reading, printed: { number: ownNumber, isLast: true } };
}

/**
 * Resolves a document.
 * @param describe makes the result of a printed document
 * @throws FiscalError a line fault, or E306/E307 while the device cannot print: ask again later
 */
export async function resolveDocument(
  device: IslDevice,
  doubt: { readonly plan: DocumentPlan } & Pick<ResolveContext, "evidence" | "keep">,
  describe: (printed: PrintedDocument & Known) => Promise<CommandSuccess<ReceiptResult>>,
): Promise<Resolution<ReceiptResult>> {
  const { plan } = doubt;
  const own = new OwnTenders(plan.tenders, doubt);
  let evidence = readEvidence(doubt.evidence);
  return resolveInRounds(
    async () => {
      const reading = await readBack(device, evidence, mayBePaid(evidence));
      // Only a document that is ours for certain is finished with our tenders.
      const paying = evidence.mark === "baseline" ? undefined : own;
      return {
        verdict: judge(evidence, plan, reading),
        putAway: async () => {
          const isLike = holdsOurs(evidence, plan, reading);
          const isOurs = hasNoLines(evidence) || (isLike && !mayBeNext(device, evidence, reading));
          if (!isOurs) {
            // Where the line breaks at the cancel, the device alone does not tell that there was one.
            await doubt.keep({ [ENDED_THEIRS]: true });
            evidence = { ...evidence, hasEndedTheirs: true };
          }
          const done = await putAwayOpenReceipt(device, reading, paying);
          if (isOurs) evidence = { ...evidence, isCancelled: done === "cancelled" };
        },
      };
    },
    async ({ number, isLast }) => own.toldIn(await describe({ number, isLast })),
  );
}

function readEvidence({ mark, mayBeFurther = false, baseline }: Evidence): DocumentEvidence {
  const { ownNumber = null, whileOpen = null } = baseline;
  return {
    mark,
    mayBeFurther: mayBeFurther && baseline[LINES_WAIT] !== true,
    number: numberIn(baseline.number),
    ownNumber: numberOrNullIn(ownNumber),
    whileOpen: numberOrNullIn(whileOpen),
    hasEndedTheirs: baseline[ENDED_THEIRS] === true,
  };
}
