/**
 * Finds out what became of a fiscal document that broke off, and leaves no document open.
 *
 * `judge` is the rule, pure: what was stored before the break and what the device says now, to
 * what is to be done or told. `resolveDocument` reads, acts and asks again until it is told.
 */

import { DOUBTS } from "#core/command/doubt.ts";
import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Evidence, Resolution } from "#core/driver.ts";
import {
  numberIn,
  numberOrNullIn,
  type Progress,
  resolveInRounds,
  type Trace,
  type Verdict,
  verdictOf,
} from "../shared/resolution.ts";
import { NO_SUMS } from "../shared/sums.ts";
import {
  type Counters,
  countedBetween,
  isNext,
  isOneCancelled,
  isOnlyReceipt,
  readCounters,
  readNumberBehind,
  readTaken,
  type Taken,
} from "./counters.ts";
import type { ShtrihDevice } from "./device.ts";
import type { DocumentBaseline, PrintedDocument } from "./document.ts";
import type { DocumentPlan } from "./plan.ts";
import { putAwayOpenReceipt } from "./put-away.ts";

/** What was stored of a document before it broke off. */
export interface DocumentEvidence extends Progress {
  /** What the device counted before ours was opened. */
  readonly before: DocumentBaseline;
  /** True once ours was opened by a frame of its own. */
  readonly wasOpen: boolean;
}

/** What the device says now. */
export type Reading = Pick<Counters, "open"> & DocumentBaseline;

/**
 * Judges a document in doubt.
 * @param ours what the whole document comes to, and is paid with
 */
export function judge(
  evidence: DocumentEvidence,
  ours: Pick<DocumentPlan, "totalMinor" | "amounts">,
  now: Reading,
): Verdict<{ readonly document: number | null }> {
  const { before } = evidence;
  const { totalMinor, amounts } = ours;
  const sums = { ...NO_SUMS, amountMinor: totalMinor, paidMinor: totalMinor };
  return verdictOf<{ readonly document: number | null }>(evidence, sums, {
    // Whatever others have finished or cancelled since was ours, or has followed it.
    mayStandOpen: now.open && now.receipt === before.receipt && !isOneCancelled(before, now),
    confirmed: () => {
      const isLast = isNext(before.document, now.document);
      return { document: isLast ? now.document : null };
    },
    trace: () => traceOf(evidence, amounts, now),
  });
}

function traceOf(
  { mark, before, wasOpen }: DocumentEvidence,
  amounts: readonly number[],
  now: DocumentBaseline,
): Trace<{ readonly document: number }> {
  if (now.receipt === before.receipt) {
    return { kind: "gone", reason: "The device has finished no receipt since" };
  }
  if (isOnlyReceipt(before, now)) {
    if (mark === "committing") {
      return {
        kind: "finished",
        counted: countedBetween(before.taken, now.taken, amounts),
        printed: { document: now.document },
      };
    }
    // Ours was open, and nothing was cancelled.
    if (wasOpen) return { kind: "altered", doubt: DOUBTS.finishedByHand() };
  }
  const { document } = now;
  const text = `The device is at document ${document}; ours followed ${before.document}`;
  return { kind: "untold", doubt: DOUBTS.othersPrinted(text) };
}

/**
 * Resolves a document.
 * @param describe makes the result of a printed document
 * @throws FiscalError a line fault, or E306/E307 while the device cannot print: ask again later
 */
export async function resolveDocument(
  device: ShtrihDevice,
  doubt: { readonly plan: DocumentPlan; readonly evidence: Evidence },
  describe: (printed: PrintedDocument) => CommandSuccess<ReceiptResult>,
): Promise<Resolution<ReceiptResult>> {
  const evidence = readEvidence(doubt.evidence);
  return resolveInRounds(
    async () => {
      const { kind } = doubt.plan;
      const now = await readCounters(device, kind);
      const taken = await readTaken(device, kind);
      return {
        verdict: judge(evidence, doubt.plan, { ...now, taken }),
        putAway: () => putAwayOpenReceipt(device, now),
      };
    },
    async ({ document }) => {
      const { kind } = doubt.plan;
      const { receipt: before } = evidence.before;
      return describe({
        document,
        receipt: document === null ? null : await readNumberBehind(device, kind, before),
        // The device tells no time of a receipt, only what its clock shows now.
        issuedAt: null,
      });
    },
  );
}

function readEvidence({ mark, mayBeFurther = false, baseline }: Evidence): DocumentEvidence {
  const before = {
    document: numberIn(baseline.document),
    receipt: numberIn(baseline.receipt),
    cancelled: numberOrNullIn(baseline.cancelled),
    taken: readStoredTaken(baseline.taken),
  };
  return {
    mark,
    mayBeFurther,
    before,
    wasOpen: baseline.isOpen === true,
  };
}

/** Earlier versions stored nothing of the kind, or a sum, which says as little of each tender. */
function readStoredTaken(taken: unknown): Taken {
  if (!Array.isArray(taken)) return [];
  return taken.map((amount) => (typeof amount === "number" ? amount : null));
}
