/**
 * A calendar date of a device: its stored receipts beside the Z reports that closed fiscal days on
 * it. A fiscal day belongs to the date of its Z report, with all that was printed since the one
 * before. What was printed after the last Z report of the date stands behind it, without a report.
 */

import { type BookedSpan, laterOf, placeBefore, placeOf } from "#core/booking.ts";
import { dayOf, type Interval } from "#core/calendar.ts";
import { FISCAL_DAY_MS_MAX } from "#core/limits.ts";
import type { StoredReport } from "#core/report-record.ts";
import type { Stores } from "#db/stores/index.ts";
import { receiptSlices, slicesOf } from "./books.ts";
import { CurrencySums } from "./currency-sums.ts";
import { type Difference, differenceOf, sumOfDifferences } from "./difference.ts";

/** Numbers of Z reports that follow on each other. */
export interface ReportNumbers {
  readonly first: number;
  readonly last: number;
}

/** A fiscal day, or what is left of a date behind the last one that ended on it. */
export interface FiscalDay {
  /** Behind what it begins: the Z report before, or as far back as is looked. UTC milliseconds. */
  readonly after: number;
  readonly upTo: number;
  /** What closed it; null for what is left. */
  readonly report: StoredReport | null;
  /** Z reports of the device before that one, which are not stored; null where none is known of. */
  readonly unseen: ReportNumbers | null;
  readonly stored: CurrencySums;
  /** Null without a report, and where receipts of several currencies cannot stand beside it. */
  readonly difference: Difference | null;
}

/** A date of one device. */
export interface DeviceDate extends Interval {
  readonly deviceId: string;
  readonly timezone: string;
  readonly stored: CurrencySums;
  /**
   * Of all fiscal days that ended on the date; null when none did, and where the date has receipts
   * of several currencies.
   */
  readonly difference: Difference | null;
  readonly fiscalDays: readonly FiscalDay[];
}

type DailyStores = Pick<Stores, "bookedReceipts" | "reports">;

/** Whose date it is. */
export interface DateOfDevice {
  readonly orgId: string;
  readonly deviceId: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly timezone: string;
}

/** What lies between two Z reports, and the one that closed it. */
export interface ClosedDay extends BookedSpan, Pick<FiscalDay, "unseen"> {
  readonly report: StoredReport;
}

/**
 * The fiscal days of a device that were closed in a span of its books, in their order. The first one
 * mostly begins before the span; none goes back further than `FISCAL_DAY_MS_MAX`.
 */
export async function* closedDays(
  { reports }: Pick<Stores, "reports">,
  { orgId, deviceId }: Books,
  span: BookedSpan,
): AsyncGenerator<ClosedDay, void> {
  let last = reports.lastClosing(orgId, deviceId, span.after);
  const closings = slicesOf((part) => reports.listClosings(orgId, deviceId, part), span);
  for await (const slice of closings) {
    for (const report of slice) {
      const earliest = placeBefore(report.bookedAt - FISCAL_DAY_MS_MAX);
      const after = last ? laterOf(placeOf(last), earliest) : earliest;
      yield { after, upTo: placeOf(report), report, unseen: unseenBetween(last, report) };
      last = report;
    }
  }
}

/**
 * The numbers that a device has given to Z reports between two that are stored one after the other:
 * those of another program, or made at the device itself. Of another fiscal memory, numbers say nothing.
 */
function unseenBetween(last: StoredReport | undefined, next: StoredReport): ReportNumbers | null {
  const { reportNumber: before = null, fiscalMemorySerialNumber: memory = null } = last ?? {};
  const { reportNumber, fiscalMemorySerialNumber } = next;
  if (before === null || reportNumber === null || reportNumber - before < 2) return null;
  const isOther = memory !== null && fiscalMemorySerialNumber !== null;
  if (isOther && memory !== fiscalMemorySerialNumber) return null;
  return { first: before + 1, last: reportNumber - 1 };
}

/** Whose books. */
type Books = Pick<DateOfDevice, "orgId" | "deviceId">;

async function readFiscalDay(
  stores: DailyStores,
  books: Books,
  { report, unseen, ...span }: BookedSpan & Pick<FiscalDay, "report" | "unseen">,
): Promise<FiscalDay> {
  const stored = new CurrencySums();
  for await (const receipts of receiptSlices(stores, books, span)) {
    for (const receipt of receipts) stored.add(receipt);
  }
  const hasOne = stored.beside(stored.latest).length === 0;
  const difference = report && hasOne ? differenceOf(report, stored.of(stored.latest)) : null;
  return { after: span.after.at, upTo: span.upTo.at, report, unseen, stored, difference };
}

/** The fiscal day that a stored Z report closed. */
export async function readClosed(
  stores: DailyStores,
  books: Books,
  report: StoredReport,
): Promise<FiscalDay | undefined> {
  const span = { after: placeBefore(report.bookedAt), upTo: placeOf(report) };
  for await (const day of closedDays(stores, books, span)) {
    if (day.report.id === report.id) return readFiscalDay(stores, books, day);
  }
  return undefined;
}

/** Reads the date of a device: its receipts of these fiscal days, whatever the history's length. */
export async function readDate(stores: DailyStores, asked: DateOfDevice): Promise<DeviceDate> {
  const { deviceId, timezone } = asked;
  const { from, to } = dayOf(asked.date, timezone);
  const date = { after: placeBefore(from), upTo: placeBefore(to) };
  const fiscalDays: FiscalDay[] = [];
  let { after } = date;
  for await (const closed of closedDays(stores, asked, date)) {
    fiscalDays.push(await readFiscalDay(stores, asked, closed));
    after = closed.upTo;
  }
  const open = { after, upTo: date.upTo, report: null, unseen: null };
  const rest = await readFiscalDay(stores, asked, open);
  if (rest.stored.latest !== undefined) fiscalDays.push(rest);
  const stored = new CurrencySums();
  for (const day of fiscalDays) stored.append(day.stored);
  const difference = fiscalDays.flatMap((day) => day.difference ?? []);
  const isComparable = difference.length > 0 && stored.beside(stored.latest).length === 0;
  return {
    ...{ deviceId, timezone, from, to, stored, fiscalDays },
    difference: isComparable ? difference.reduce(sumOfDifferences) : null,
  };
}
