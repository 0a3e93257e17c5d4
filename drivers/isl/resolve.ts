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
import { resolveInRounds, type Verdict } from "../shared/resolution.ts";
import type { Sums } from "../shared/sums.ts";
import type { IslDevice } from "./device.ts";
import type { PrintedDocument } from "./document.ts";
import type { DocumentPlan } from "./plan.ts";
import { putAwayOpenReceipt } from "./put-away.ts";
import { type CurrentReceipt, readCurrentReceipt } from "./receipts.ts";

/** What was stored of a document before it broke off. */
export interface DocumentEvidence {
  readonly mark: Mark;
  /** The device's document number before ours was opened. */
  readonly number: number;
  /** Our document's own number, where the device told it when it was opened. */
  readonly ownNumber: number | null;
}

/**
 * Judges a document in doubt.
 * @param expected the sums of the whole document: all lines, all payments
 */
export function judge(
  evidence: DocumentEvidence,
  expected: Sums,
  reading: CurrentReceipt,
): Verdict<{ readonly number: number }> {
  const ownNumber = evidence.ownNumber ?? evidence.number + 1;
  // The device has confirmed the closing; whatever came later is somebody else's.
  if (evidence.mark === "committed") return { kind: "printed", number: ownNumber };
  if (reading.open) return { kind: "stands_open" };
  if (reading.number === evidence.number) {
    return { kind: "not_printed", reason: "The device has taken no document since" };
  }
  // Lines follow only after `opened` is stored: all that can have been ours is an empty document,
  // which no device finishes. Whatever was printed since belongs to somebody at the device.
  if (evidence.mark === "baseline") {
    return { kind: "not_printed", reason: "The document had no lines yet" };
  }
  if (reading.number !== ownNumber) {
    return {
      kind: "unknown",
      reason: `The device is at document ${reading.number}; ours was number ${ownNumber}`,
    };
  }
  // A cancelled document takes a number as well; what tells it apart is that nothing was paid.
  if (reading.paidMinor === 0) {
    return { kind: "not_printed", reason: "The document was cancelled on the device" };
  }
  const isWhole =
    reading.items === expected.items &&
    reading.amountMinor === expected.amountMinor &&
    reading.paidMinor >= expected.amountMinor;
  if (isWhole) return { kind: "printed", number: ownNumber };
  return {
    kind: "unknown",
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
  describe: (printed: PrintedDocument) => Promise<CommandSuccess<ReceiptResult>>,
): Promise<Resolution<ReceiptResult>> {
  const { plan } = doubt;
  const evidence = readEvidence(doubt.evidence);
  return resolveInRounds(
    async () => {
      const reading = await readCurrentReceipt(device);
      // Only a document that is ours is finished with our tenders.
      const tenders = isOurs(evidence, reading) ? plan.tenders : [];
      return {
        verdict: judge(evidence, plan.paid, reading),
        putAway: () => putAwayOpenReceipt(device, reading, tenders),
      };
    },
    ({ number }) => describe({ number, changeMinor: 0 }),
  );
}

function isOurs(evidence: DocumentEvidence, reading: CurrentReceipt): boolean {
  return evidence.mark !== "baseline" && (evidence.ownNumber ?? reading.number) === reading.number;
}

function readEvidence({ mark, baseline }: Evidence): DocumentEvidence {
  const { number, ownNumber = null } = baseline;
  if (typeof number !== "number" || (ownNumber !== null && typeof ownNumber !== "number")) {
    throw new FiscalError("E901", "The stored baseline is not one of this driver");
  }
  return { mark, number, ownNumber };
}
