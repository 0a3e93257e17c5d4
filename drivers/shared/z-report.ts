/** Z reports: each is an entry of the ledger that its number tells of. */

import type { ReportResult } from "#core/command/report-result.ts";
import type { DeviceInfo } from "#core/device/device.ts";
import type { CommandProgress, Evidence, Resolution } from "#core/driver.ts";
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

/**
 * Makes a Z report on a device that only acknowledges it. Throws as `makeEntry` does.
 * @param run with `make` to send the one frame
 * @returns its number
 */
export function makeUnnumberedZReport(
  { readNumber, make }: ZReportRun<unknown>,
  progress: CommandProgress,
): Promise<number | null> {
  const numbered = async (before: LedgerCounts) => {
    await make(before);
    return nextZNumber(before.zNumber);
  };
  return makeZReport({ readNumber, make: numbered }, progress);
}

/** A Z report in doubt. */
export interface DoubtfulZReport<Data> {
  readonly evidence: Evidence;
  readonly readNumber: ReadZNumber;
  /**
   * The result of a report that the device had confirmed.
   * @param number its number; null once the last report may be another one
   * @param last the number of the last report
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
      const last = await readNumber();
      return describe(last === nextZNumber(zNumber) ? last : null, last);
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
