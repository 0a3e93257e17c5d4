/** Z reports: each is an entry of the ledger that its number tells of. */

import type { ReportResult } from "#core/command/report-result.ts";
import type { DeviceInfo } from "#core/device/device.ts";
import type { CommandProgress, Evidence, Resolution } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { unlessUntold } from "./device-fault.ts";
import type { KeptFacts } from "./kept-facts.ts";
import { type LedgerCounts, makeEntry, resolveEntry, Z_REPORT } from "./ledger.ts";
import { numberedZReport } from "./report.ts";

/** Reads the number of the last Z report; null where the device does not tell. */
export type ReadZNumber = () => Promise<number | null>;

/** The number that closes the day. @param last that of the last Z report; null when not known */
export function nextZNumber(last: number | null): number | null {
  return last === null ? null : last + 1;
}

/** One Z report. */
export interface ZReportRun<Result> {
  readonly readNumber: ReadZNumber;
  /** As `LedgerEntry` has it. */
  make(before: LedgerCounts): Promise<Result>;
}

/** Makes a Z report. @returns what `make` made of the answer. Throws as `makeEntry` does */
export function makeZReport<Result>(
  { readNumber, make }: ZReportRun<Result>,
  progress: CommandProgress,
): Promise<Result> {
  return makeEntry({ entry: Z_REPORT, reads: { zNumber: readNumber }, make }, progress);
}

/** The day that a Z report of ours has closed, as the device tells of it behind that. */
export interface ClosedDay {
  /** Its number; null where another Z report came in between, or nobody knows. */
  readonly number: number | null;
  /** The number of the last report, behind that of before ours; null when the device tells no such. */
  readonly last: number | null;
  /** What it tells in any case: a count may move a moment late. Null when it tells nothing. */
  readonly shown: number | null;
}

/**
 * Makes a Z report on a device that only acknowledges it. Others may have made one right before: the
 * number is read behind the answer, and a device that tells of it no more has made the report all the
 * same. Throws as `makeEntry` does.
 * @param run with `make` to send the one frame
 */
export async function makeUnnumberedZReport(
  { readNumber, make }: ZReportRun<unknown>,
  progress: CommandProgress,
): Promise<ClosedDay> {
  let before: number | null = null;
  const noted = (counts: LedgerCounts) => {
    before = counts.zNumber;
    return make(counts);
  };
  await makeZReport({ readNumber, make: noted }, progress);
  const shown = await readNumber().catch((fault: unknown) => {
    if (fault instanceof FiscalError) return null;
    throw fault;
  });
  return closedDay(before, shown);
}

function closedDay(before: number | null, shown: number | null): ClosedDay {
  const isNewer = before === null || shown !== before;
  return {
    number: shown === nextZNumber(before) ? shown : null,
    last: isNewer ? shown : null,
    shown,
  };
}

/**
 * True where the device shows that what was read is of the day that ours has closed, and not of one
 * that others have closed before: its count has moved by ours alone, or not yet.
 * @param before number of the last Z report as that was read
 */
export function isOfClosedDay(before: number | null, { shown }: Pick<ClosedDay, "shown">): boolean {
  if (before === null || shown === null) return false;
  return shown === before || shown === nextZNumber(before);
}

/** A Z report in doubt. */
export interface DoubtfulZReport<Data> {
  readonly evidence: Evidence;
  readonly readNumber: ReadZNumber;
  /**
   * The result of a report that the device had confirmed.
   * @param number its number; null once the last report may be another one
   * @param last as `ClosedDay` has it
   */
  describe(number: number | null, last: number | null): Data;
}

/** What became of a Z report in doubt. @throws FiscalError a line fault: ask again */
export function resolveZReport<Data>({
  evidence,
  readNumber,
  describe,
}: DoubtfulZReport<Data>): Promise<Resolution<Data>> {
  return resolveEntry({
    entry: Z_REPORT,
    evidence,
    reads: { zNumber: readNumber },
    describe: async ({ zNumber }) => {
      const shown = (await unlessUntold(readNumber())) ?? null;
      const { number, last } = closedDay(zNumber, shown);
      return describe(number, last);
    },
  });
}

/** A device of which the number of its last Z report is kept. */
interface WithKeptFacts {
  readonly facts: { readonly info: DeviceInfo };
  readonly kept: Pick<KeptFacts<unknown>, "noteDayClosed">;
}

/** The same where that number is all that the device still tells. @throws FiscalError */
export function resolveKeptZReport(
  { facts, kept }: WithKeptFacts,
  evidence: Evidence,
  readNumber: ReadZNumber,
): Promise<Resolution<ReportResult>> {
  return resolveZReport({
    evidence,
    readNumber,
    describe: (number, last) => {
      kept.noteDayClosed(last);
      return numberedZReport(number, facts.info);
    },
  });
}
