/**
 * Finds out what became of a fiscal document that broke off, and leaves no document open.
 *
 * `judge` is the rule, pure: what was stored before the break and what the device says now, to
 * what is to be done or told. `resolveDocument` reads, acts and asks again until it is told.
 */

import type { Mark } from "#core/command/marks.ts";
import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Evidence, Resolution } from "#core/driver.ts";
import { FiscalError, isPauseFault } from "#core/errors.ts";
import { resolveInRounds, type Verdict } from "../shared/resolution.ts";
import type { CustomDevice } from "./device.ts";
import { type DocumentBaseline, type PrintedDocument, toPrinted } from "./document.ts";
import type { DocumentPlan } from "./plan.ts";
import { eject, putAwayOpenReceipt } from "./put-away.ts";
import {
  type CurrentReceipt,
  FIRST_NUMBER,
  type LastDocument,
  readCurrentReceipt,
  readLastDocument,
  readZNumber,
} from "./receipts.ts";

/** What was stored of a document before it broke off. */
export interface DocumentEvidence extends DocumentBaseline {
  readonly mark: Mark;
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
  /** Undefined when the device cannot tell of its documents. */
  readonly last: LastDocument | undefined;
  readonly zNumber: number | null;
  readonly deed: Deed | undefined;
}

/** The number that follows one of four digits. */
const NUMBER_MAX = 9_999;

/**
 * Judges a document in doubt.
 * @param totalMinor what the whole document comes to
 */
export function judge(
  evidence: DocumentEvidence,
  totalMinor: number,
  reading: Reading,
): Verdict<{ readonly document: PrintedDocument }> {
  const { last, deed, zNumber } = reading;
  if (reading.isBusy) return { kind: "stands_open" };
  const isNext = last !== undefined && mayFollow(evidence.number, last.number);
  const isSameDay = zNumber === evidence.zNumber;
  // The device has confirmed the closing; whatever came later is somebody else's.
  if (evidence.mark === "committed") {
    return printed(isNext && isSameDay ? last : undefined, evidence);
  }
  // Lines follow only after `opened` is stored: whatever was printed since is not ours.
  if (evidence.mark === "baseline") return notPrinted("The document had no lines yet");
  if (!last || evidence.trace === null) return unknown("The device does not tell of its documents");
  // Numbers begin anew after each report, and times are told to the minute: beyond one, a later
  // document may look like the last one of before.
  if (!isSameDay) return unknown("A Z report was made since");
  if (last.trace === evidence.trace) {
    return zNumber === null
      ? unknown("The device does not tell of its Z reports")
      : notPrinted("The device has closed no document since");
  }
  if (!isNext) return unknown(`The device has closed document ${last.number} since`);
  if (last.cancelled === true || (last.cancelled === null && deed === "cancelled")) {
    return notPrinted("The document was cancelled");
  }
  // Nobody but us has touched the document, so what the device closed last is ours.
  const isEjected = deed === "ejected" && evidence.mark === "committing";
  const isWitnessed = deed === "finished" || isEjected;
  if (evidence.mark === "opened" && !isWitnessed) {
    return unknown("A document was closed on the device, before ours was paid");
  }
  if (last.totalMinor === totalMinor) return printed(last, evidence);
  if (last.totalMinor === null) {
    return isWitnessed
      ? printed(last, evidence)
      : unknown("The device does not tell what its last document was worth");
  }
  return unknown("The last document has another amount than the one that was sent");
}

/** Numbers go up by one; where they begin anew each day, the first one may follow any. */
function mayFollow(before: number | null, now: number): boolean {
  if (now === FIRST_NUMBER) return true;
  return before !== null && now === (before % NUMBER_MAX) + 1;
}

function printed(last: LastDocument | undefined, evidence: DocumentEvidence) {
  return { kind: "printed" as const, document: toPrinted(last, evidence) };
}

function notPrinted(reason: string) {
  return { kind: "not_printed" as const, reason };
}

function unknown(reason: string) {
  return { kind: "unknown" as const, reason };
}

/**
 * Resolves a document.
 * @param describe makes the result of a printed document
 * @throws FiscalError a line fault, or E306/E307 while the device cannot print: ask again later
 */
export async function resolveDocument(
  device: CustomDevice,
  doubt: { readonly plan: DocumentPlan; readonly evidence: Evidence },
  describe: (printed: PrintedDocument) => CommandSuccess<ReceiptResult>,
): Promise<Resolution<ReceiptResult>> {
  const { plan } = doubt;
  const evidence = readEvidence(doubt.evidence);
  let deed: Deed | undefined;
  let wasEjected = false;
  return resolveInRounds(
    async () => {
      const now = await read(device);
      const { current, last, zNumber } = now;
      // A receipt that cannot be cut off is closed all the same.
      const isBusy = current.open || now.slipOpen || (current.isClosed && !wasEjected);
      return {
        verdict: judge(evidence, plan.paid.amountMinor, { isBusy, last, zNumber, deed }),
        putAway: async () => {
          if (now.slipOpen) return closeSlip(device);
          // Only while nothing was closed since is what stands there certainly ours.
          const isOurs = evidence.mark !== "baseline" && isNextToClose(evidence, now);
          const done = await putAwayOurs(device, current, isOurs ? plan : undefined);
          wasEjected ||= done === "ejected";
          if (isOurs) deed ??= done;
        },
      };
    },
    ({ document }) => describe(document),
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

/** A receipt that is closed and not cut off is told of as the last one already. */
function isNextToClose(evidence: DocumentEvidence, { current, last, zNumber }: Now): boolean {
  // No day can be closed while ours stands there.
  if (last === undefined || zNumber !== evidence.zNumber) return false;
  return current.isClosed ? mayFollow(evidence.number, last.number) : last.trace === evidence.trace;
}

async function closeSlip(device: CustomDevice): Promise<void> {
  await device.ask("slipClose");
}

/** @returns what was done, as far as it says something of our document */
async function putAwayOurs(
  device: CustomDevice,
  current: CurrentReceipt,
  plan: DocumentPlan | undefined,
): Promise<Deed | undefined> {
  if (current.isClosed) {
    const fault = await eject(device);
    if (fault && isPauseFault(fault)) throw fault;
    return "ejected";
  }
  // Only a document that is ours is finished with our tenders.
  const done = await putAwayOpenReceipt(device, current, plan?.tenders ?? []);
  const isWhole = current.amountMinor === plan?.paid.amountMinor;
  return done === "finished" && !isWhole ? undefined : done;
}

function readEvidence({ mark, baseline }: Evidence): DocumentEvidence {
  const { number, trace, zNumber } = baseline;
  if (
    (number !== null && typeof number !== "number") ||
    (trace !== null && typeof trace !== "string") ||
    (zNumber !== null && typeof zNumber !== "number")
  ) {
    throw new FiscalError("E901", "The stored baseline is not one of this driver");
  }
  return { mark, number, trace, zNumber };
}
