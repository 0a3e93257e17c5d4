/**
 * Finds out what became of a fiscal document that broke off, and leaves no document open.
 *
 * `judge` is the rule, pure: what was stored before the break and what the device says now, to
 * what is to be done or told. `resolveDocument` reads, acts and asks again until it is told.
 */

import type { Mark } from "#core/command/marks.ts";
import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Evidence, Resolution } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { resolveInRounds, type Trace, type Verdict, verdictOf } from "../shared/resolution.ts";
import type { Sums } from "../shared/sums.ts";
import type { IslDevice } from "./device.ts";
import type { PrintedDocument } from "./document.ts";
import type { DocumentPlan } from "./plan.ts";
import { putAwayOpenReceipt } from "./put-away.ts";
import {
  type CurrentReceipt,
  isOursOpen,
  type OwnNumber,
  ownNumberOf,
  readCurrentReceipt,
} from "./receipts.ts";

/** What was stored of a document before it broke off. */
export interface DocumentEvidence extends OwnNumber {
  readonly mark: Mark;
}

/** What a document that was printed is known by. */
interface Known extends Pick<PrintedDocument, "number"> {
  /** True when the device's last receipt is ours. */
  readonly isLast: boolean;
}

/**
 * Judges a document in doubt.
 * @param expected the sums of the whole document: all lines, all payments
 */
export function judge(
  evidence: DocumentEvidence,
  expected: Sums,
  reading: CurrentReceipt,
): Verdict<Known> {
  const { mark } = evidence;
  const ownNumber = ownNumberOf(evidence);
  const isLast = reading.number === ownNumber && !reading.open;
  // The device has confirmed the closing; whatever came later is somebody else's.
  if (mark === "committed") {
    const isNumberKnown = evidence.ownNumber !== null || isLast;
    return { kind: "printed", number: isNumberKnown ? ownNumber : null, isLast };
  }
  return reading.open
    ? { kind: "stands_open" }
    : verdictOf(mark, traceOf(evidence, expected, reading));
}

function traceOf(
  evidence: DocumentEvidence,
  expected: Sums,
  reading: CurrentReceipt,
): Trace<Known> {
  const ownNumber = ownNumberOf(evidence);
  if (reading.number === evidence.number) {
    return { kind: "gone", reason: "The device has taken no document since" };
  }
  // Its own number is not known yet, and hardly a line of it was sent.
  if (evidence.mark === "baseline") {
    return { kind: "gone", reason: "The document had no lines yet" };
  }
  if (reading.number !== ownNumber) {
    return {
      kind: "untold",
      reason: `The device is at document ${reading.number}; ours was number ${ownNumber}`,
    };
  }
  // A cancelled document takes a number as well; what tells it apart is that nothing was paid.
  if (reading.paidMinor === 0) {
    return { kind: "gone", reason: "The document was cancelled on the device" };
  }
  const isWhole =
    reading.items === expected.items &&
    reading.amountMinor === expected.amountMinor &&
    reading.paidMinor >= expected.amountMinor;
  if (isWhole) return { kind: "ours", number: ownNumber, isLast: true };
  return {
    kind: "altered",
    reason: "The document on the device has other sums than the one that was sent",
  };
}

/**
 * Resolves a document.
 * @param describe makes the result of a printed document
 * @throws FiscalError a line fault, or E306/E307 while the device cannot print: ask again later
 */
export async function resolveDocument(
  device: IslDevice,
  doubt: { readonly plan: DocumentPlan; readonly evidence: Evidence },
  describe: (printed: PrintedDocument & Known) => Promise<CommandSuccess<ReceiptResult>>,
): Promise<Resolution<ReceiptResult>> {
  const { plan } = doubt;
  const evidence = readEvidence(doubt.evidence);
  return resolveInRounds(
    async () => {
      const reading = await readCurrentReceipt(device);
      // Only a document that is ours is finished with our tenders.
      const isOurs = evidence.mark !== "baseline" && isOursOpen(evidence, reading);
      const tenders = isOurs ? plan.tenders : [];
      return {
        verdict: judge(evidence, plan.paid, reading),
        putAway: () => putAwayOpenReceipt(device, reading, tenders),
      };
    },
    ({ number, isLast }) => describe({ number, isLast, changeMinor: 0 }),
  );
}

function readEvidence({ mark, baseline }: Evidence): DocumentEvidence {
  const { number, ownNumber = null } = baseline;
  if (typeof number !== "number" || (ownNumber !== null && typeof ownNumber !== "number")) {
    throw new FiscalError("E901", "The stored baseline is not one of this driver");
  }
  return { mark, number, ownNumber };
}
