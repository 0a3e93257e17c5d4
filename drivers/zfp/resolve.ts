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
import type { ZfpDevice } from "./device.ts";
import type { PrintedDocument } from "./document.ts";
import type { DocumentPlan } from "./plan.ts";
import { putAwayOpenReceipt } from "./put-away.ts";
import {
  type CurrentReceipt,
  type IssuedReceipt,
  readCounter,
  readCurrentReceipt,
  readLastReceipt,
  readPaid,
  readReceiptAt,
} from "./receipts.ts";

/** What was stored of a document before it broke off. */
export interface DocumentEvidence {
  readonly mark: Mark;
  /** The last receipt that the device had issued before ours. */
  readonly number: number;
  /** The device's own count of receipts then. */
  readonly counter: number;
  /** Our document's own number, once it was opened. */
  readonly ownNumber: number | null;
}

/** What the device says now. */
export interface Reading {
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
 * @param totalMinor what the whole document comes to
 */
export function judge(
  evidence: DocumentEvidence,
  totalMinor: number,
  reading: Reading,
): Verdict<{ readonly receipt: PrintedDocument }> {
  const { last, own } = reading;
  const ownNumber = evidence.ownNumber ?? evidence.number + 1;
  // The device has confirmed the closing; whatever came later is somebody else's.
  if (evidence.mark === "committed") {
    return { kind: "printed", receipt: own ?? { number: ownNumber, issuedAt: null } };
  }
  if (reading.open) return { kind: "stands_open" };
  if (last.number === evidence.number) {
    // Ours was found open and cancelled, had no lines, or nothing was counted at all.
    const isCertain =
      reading.cancelled || evidence.mark === "baseline" || reading.counter === evidence.counter;
    if (!isCertain) {
      return {
        kind: "unknown",
        reason: `The device has counted receipt ${reading.counter} and does not tell of it`,
      };
    }
    return { kind: "not_printed", reason: "The device has issued no receipt since" };
  }
  // Lines follow only after `opened` is stored: all that can have been ours is an empty document,
  // which no device finishes. Whatever was issued since belongs to somebody at the device.
  if (evidence.mark === "baseline") {
    return { kind: "not_printed", reason: "The document had no lines yet" };
  }
  if (!own) {
    return {
      kind: "unknown",
      reason: `The device has issued receipt ${last.number}; ours was number ${ownNumber}`,
    };
  }
  const isPaid = reading.paidMinor === null || reading.paidMinor >= totalMinor;
  if (own.amountMinor === totalMinor && isPaid) return { kind: "printed", receipt: own };
  return {
    kind: "unknown",
    reason: "The receipt on the device has another amount than the document that was sent",
  };
}

/**
 * Resolves a document.
 * @param describe makes the result of a printed document
 * @throws FiscalError a line fault, or E306/E307 while the device cannot print: ask again later
 */
export async function resolveDocument(
  device: ZfpDevice,
  doubt: { readonly plan: DocumentPlan; readonly evidence: Evidence },
  describe: (printed: PrintedDocument) => CommandSuccess<ReceiptResult>,
): Promise<Resolution<ReceiptResult>> {
  const { plan } = doubt;
  const evidence = readEvidence(doubt.evidence);
  let cancelled = false;
  return resolveInRounds(
    async () => {
      const current = await readCurrentReceipt(device);
      const reading = { ...(await readBack(device, evidence, current)), cancelled };
      return {
        verdict: judge(evidence, plan.paid.amountMinor, reading),
        putAway: async () => {
          const ours = isOurs(evidence, current);
          // Only a document that is ours is finished with our tenders.
          await putAwayOpenReceipt(device, current, ours ? plan.tenders : []);
          cancelled = ours && !current.paymentStarted;
        },
      };
    },
    ({ receipt }) => describe(receipt),
  );
}

async function readBack(
  device: ZfpDevice,
  evidence: DocumentEvidence,
  { open }: CurrentReceipt,
): Promise<Omit<Reading, "cancelled">> {
  const last = await readLastReceipt(device);
  const number = evidence.ownNumber ?? evidence.number + 1;
  const isLast = last.number === number && !open;
  const isPast = last.number > number;
  return {
    open,
    counter: await readCounter(device),
    last,
    own: isLast ? last : isPast ? await readReceiptAt(device, number) : undefined,
    paidMinor: isLast ? await readPaid(device) : null,
  };
}

function isOurs(evidence: DocumentEvidence, { number }: CurrentReceipt): boolean {
  if (evidence.mark === "baseline") return false;
  return (
    evidence.ownNumber === null || evidence.ownNumber === Math.max(number, evidence.number + 1)
  );
}

function readEvidence({ mark, baseline }: Evidence): DocumentEvidence {
  const { number, counter, ownNumber = null } = baseline;
  if (
    typeof number !== "number" ||
    typeof counter !== "number" ||
    (ownNumber !== null && typeof ownNumber !== "number")
  ) {
    throw new FiscalError("E901", "The stored baseline is not one of this driver");
  }
  return { mark, number, counter, ownNumber };
}
