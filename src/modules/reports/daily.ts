/**
 * A calendar date of a device: its stored receipts beside the Z reports that closed fiscal days on
 * it. A fiscal day belongs to the date of its Z report, with all that was printed since the one
 * before. What was printed after the last Z report of the date stands behind it, without a report.
 */

import { type BookedSpan, earlierOf, laterOf, placeBefore, placeOf } from "#core/booking.ts";
import { dayOf, type Interval } from "#core/calendar.ts";
import { FISCAL_DAY_MS_MAX } from "#core/limits.ts";
import type { StoredReport } from "#core/report-record.ts";
import type { Stores } from "#db/stores/index.ts";
import { receiptSlices, slicesOf } from "./books.ts";
import { type Difference, differenceOf, sumOfDifferences } from "./difference.ts";
import { addReceipt, addSums, emptySums, isEmpty, type ReceiptSums } from "./sums.ts";

/** A fiscal day, or what is left of a date behind the last one that ended on it. */
export interface FiscalDay {
  /** Behind what it begins: the Z report before, or as far back as is looked. UTC milliseconds. */
  readonly after: number;
  readonly upTo: number;
  /** What closed it; null for what is left. */
  readonly report: StoredReport | null;
  readonly stored: ReceiptSums;
  /** Null without a report. */
  readonly difference: Difference | null;
}

/** A date of one device. */
export interface DeviceDate extends Interval {
  readonly deviceId: string;
  readonly timezone: string;
  readonly stored: ReceiptSums;
  /** Of all fiscal days that ended on the date; null when none did. */
  readonly difference: Difference | null;
  readonly fiscalDays: readonly FiscalDay[];
  /** Of the first receipt; undefined without any. */
  readonly currency: string | undefined;
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

/** Reads the date of a device: its receipts of these fiscal days, whatever the history's length. */
export async function readDate(stores: DailyStores, asked: DateOfDevice): Promise<DeviceDate> {
  const { orgId, deviceId, timezone } = asked;
  const { from, to } = dayOf(asked.date, timezone);
  const date = { after: placeBefore(from), upTo: placeBefore(to) };
  const fiscalDays: FiscalDay[] = [];
  let currency: string | undefined;
  const read = async (span: BookedSpan, report: StoredReport | null): Promise<FiscalDay> => {
    const stored = emptySums();
    for await (const receipts of receiptSlices(stores, asked, span)) {
      currency ??= receipts[0]?.currency;
      for (const receipt of receipts) addReceipt(stored, receipt);
    }
    const difference = report && differenceOf(report, stored);
    return { after: span.after.at, upTo: span.upTo.at, report, stored, difference };
  };
  let last = stores.reports.lastClosing(orgId, deviceId, date.after);
  const closings = slicesOf((part) => stores.reports.listClosings(orgId, deviceId, part), date);
  for await (const reports of closings) {
    for (const report of reports) {
      const earliest = placeBefore(report.bookedAt - FISCAL_DAY_MS_MAX);
      const after = last ? laterOf(placeOf(last), earliest) : earliest;
      fiscalDays.push(await read({ after, upTo: placeOf(report) }, report));
      last = report;
    }
  }
  const after = last ? laterOf(placeOf(last), date.after) : date.after;
  const rest = await read({ after: earlierOf(after, date.upTo), upTo: date.upTo }, null);
  if (!isEmpty(rest.stored)) fiscalDays.push(rest);
  const stored = emptySums();
  for (const day of fiscalDays) addSums(stored, day.stored);
  const difference = fiscalDays.flatMap((day) => day.difference ?? []);
  return {
    ...{ deviceId, timezone, from, to, stored, fiscalDays, currency },
    difference: difference.length === 0 ? null : difference.reduce(sumOfDifferences),
  };
}
