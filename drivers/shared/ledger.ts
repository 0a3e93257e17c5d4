/**
 * Commands that change the device's ledger once: Z report, cash in, cash out. They have no document
 * that stands open for a while and could be cancelled, and no number of their own that could be
 * asked for. So two things are known of one in doubt, and no more:
 *
 * - That it was made, only its own answer proves. Whatever the device counts afterwards, somebody
 *   else may have made the same: at the keyboard, or on another line.
 * - That it was not made, what the device counts may prove: numbers and sums that it would have
 *   moved, and that never go back.
 *
 * Everything between is unknown. Their frames are never sent again in doubt: a device that lost
 * power in between would carry the repeat out a second time.
 */

import { DOUBTS } from "#core/command/doubt.ts";
import type { Baseline, Mark } from "#core/command/marks.ts";
import type { CommandProgress, Evidence, Resolution } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, leavesOpen } from "#core/errors.ts";

/**
 * What a device tells of its ledger; null where it does not. Integers, amounts in minor units.
 * Stored as the baseline of an entry.
 */
export interface LedgerCounts {
  /** Number of the last Z report. */
  readonly zNumber: number | null;
  /** What was moved the entry's way since that report: it only grows until the next one. */
  readonly sumMinor: number | null;
  /** Running number of the movements that went the entry's way, Z reports or not. */
  readonly movements: number | null;
  /** Cash in the drawer, where that is all that the device tells of it. */
  readonly drawerMinor: number | null;
  /** All that the device says of its last document, provided that the next one must differ. */
  readonly lastDocument: string | null;
}

/** What of it a cash movement would change, besides its running number. */
export type MovedCounts = Partial<Omit<LedgerCounts, "zNumber" | "movements">>;

/** How the counts are read. Each may throw FiscalError. */
export interface LedgerReads {
  zNumber(): Promise<number | null>;
  /** Absent where the device does not number movements, and for Z reports. */
  movements?(): Promise<number | null>;
  /** Absent for Z reports, which their number tells of. */
  moved?(): Promise<MovedCounts>;
}

/** What is entered; the amount of a movement in minor units, whichever way it goes. */
export type EntryKind =
  | { readonly kind: "z_report" }
  | { readonly kind: "movement"; readonly amountMinor: number };

export const Z_REPORT: EntryKind = { kind: "z_report" };

/** Kept in the baseline of an entry that the device has confirmed. */
const CONFIRMED = { confirmed: true } as const;

const UNTOLD: LedgerCounts = {
  zNumber: null,
  sumMinor: null,
  movements: null,
  drawerMinor: null,
  lastDocument: null,
};

/**
 * What counts comes first: should somebody close the day in between, or move cash, it has moved later
 * on.
 */
async function readBefore(reads: LedgerReads): Promise<LedgerCounts> {
  const zNumber = await reads.zNumber();
  const movements = (await reads.movements?.()) ?? null;
  return { ...UNTOLD, ...(await reads.moved?.()), movements, zNumber };
}

/**
 * What counts comes last: should somebody close the day in between, it has moved as well; and where it
 * has gone up by one, the sums hold no other movement than that.
 */
async function readAgain(reads: LedgerReads): Promise<LedgerCounts> {
  const sums = await reads.moved?.();
  const movements = (await reads.movements?.()) ?? null;
  return { ...UNTOLD, ...sums, movements, zNumber: await reads.zNumber() };
}

/**
 * Why an entry cannot have been made, by what the device counted before and counts now.
 * @returns undefined when it may have been made
 */
export function ruleOut(
  entry: EntryKind,
  before: LedgerCounts,
  now: LedgerCounts,
): string | undefined {
  const sameDay = isSameDay(before, now);
  if (entry.kind === "z_report") {
    return sameDay ? "The number of the last Z report has not changed" : undefined;
  }
  const count = difference(before.movements, now.movements);
  if (count === 0) return "The number of the last cash movement has not changed";
  if (!sameDay) return undefined;
  const sum = difference(before.sumMinor, now.sumMinor);
  if (sum === 0) return "The day's sum of cash movements has not changed";
  if (sum !== undefined && sum > 0 && sum < entry.amountMinor) {
    return "The day's sum of cash movements has grown by less";
  }
  if (count === 1 && sum !== undefined && sum !== entry.amountMinor) {
    return "The one cash movement since has another amount";
  }
  const isUntouched = before.lastDocument !== null && now.lastDocument === before.lastDocument;
  if (isUntouched && difference(before.drawerMinor, now.drawerMinor) === 0) {
    return "The device has made no document since";
  }
  return undefined;
}

/**
 * True when the drawer agrees with a device that has just refused to move cash: it would have to
 * have moved it all the same, and somebody to have taken it back before the device was asked.
 */
function isRefusalTrue(before: LedgerCounts, now: LedgerCounts): boolean {
  return isSameDay(before, now) && difference(before.drawerMinor, now.drawerMinor) === 0;
}

function isSameDay(before: LedgerCounts, now: LedgerCounts): boolean {
  return before.zNumber !== null && now.zNumber === before.zNumber;
}

function difference(before: number | null, now: number | null): number | undefined {
  return before === null || now === null ? undefined : now - before;
}

/** One entry of the ledger. */
export interface LedgerEntry<Result> {
  readonly entry: EntryKind;
  readonly reads: LedgerReads;
  /**
   * Sends the one frame that makes the entry. Where its answer says that it was made, nothing more
   * is asked of the device here: that could only fail.
   * @throws FiscalError whatever else it says, or a line fault
   */
  make(before: LedgerCounts): Promise<Result>;
}

/**
 * Makes an entry. A device may name a fault, no paper for example, in the answer to a frame that it
 * carried out: only what it counts afterwards shows that it did not.
 * @returns what `make` made of the answer
 * @throws FiscalError when it was certainly not made
 * @throws DocumentInDoubt when it may have been made
 */
export async function makeEntry<Result>(
  { entry, reads, make }: LedgerEntry<Result>,
  progress: CommandProgress,
): Promise<Result> {
  const before = await readBefore(reads);
  await progress.mark("baseline", { ...before });
  await progress.mark("committing");
  let result: Result;
  try {
    result = await make(before);
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    if (leavesOpen(error)) throw new DocumentInDoubt(error);
    const now = await readAgain(reads).catch((fault: unknown) => {
      throw fault instanceof FiscalError ? new DocumentInDoubt(error) : fault;
    });
    const isRuledOut = isRefusalTrue(before, now) || ruleOut(entry, before, now) !== undefined;
    throw isRuledOut ? error : new DocumentInDoubt(error);
  }
  // What is read for the result may take its time: killed in between, an entry of which the answer is
  // all that proves it would be in doubt. Nobody waits for it: a gateway that is away would be waited
  // for without limit, and the result, which is kept on disk here, would not be there meanwhile.
  void progress.mark("committing", CONFIRMED).catch(() => undefined);
  await progress.mark("committed");
  return result;
}

/** An entry in doubt. */
export interface DoubtfulEntry<Data> {
  readonly entry: EntryKind;
  readonly evidence: Evidence;
  readonly reads: LedgerReads;
  /** The result of an entry of which the device had said that it was made. */
  describe(before: LedgerCounts): Promise<Data>;
}

/** What became of an entry in doubt. @throws FiscalError a line fault: ask again */
export async function resolveEntry<Data>(asked: DoubtfulEntry<Data>): Promise<Resolution<Data>> {
  const { entry, reads } = asked;
  const { mark, baseline } = asked.evidence;
  const before = countsIn(baseline);
  if (mark === "committed" || isConfirmed(baseline)) {
    return { outcome: "printed", success: { data: await asked.describe(before) } };
  }
  if (!wasSent(mark)) return { outcome: "not_printed", reason: "It had not been sent" };
  const reason = ruleOut(entry, before, await readAgain(reads));
  if (reason !== undefined) return { outcome: "not_printed", reason };
  const isReport = entry.kind === "z_report";
  const doubt = isReport ? DOUBTS.zReportNotTold() : DOUBTS.cashNotTold();
  return { outcome: "unknown", doubt };
}

/** False when it is certain that the entry's frame was not sent: its mark is waited for. */
export function wasSent(mark: Mark): boolean {
  return mark === "committing" || mark === "committed";
}

function isConfirmed({ confirmed }: Baseline): boolean {
  return confirmed === CONFIRMED.confirmed;
}

function countsIn(baseline: Baseline): LedgerCounts {
  const number = (name: string) => {
    const value = baseline[name];
    return typeof value === "number" ? value : null;
  };
  const { lastDocument } = baseline;
  return {
    zNumber: number("zNumber"),
    sumMinor: number("sumMinor"),
    movements: number("movements"),
    drawerMinor: number("drawerMinor"),
    lastDocument: typeof lastDocument === "string" ? lastDocument : null,
  };
}
