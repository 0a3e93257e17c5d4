/** Months as the API shows them: amounts in currency units. */

import { isoTime } from "#core/iso-time.ts";
import type { StoredReport } from "#core/report-record.ts";
import { isBalanced } from "./difference.ts";
import type { DeviceMonth, MonthClosing, MonthDate } from "./month.ts";
import { unitsOrNull } from "./records.ts";
import { sumsRecord } from "./summary-records.ts";

/** What is known besides. */
interface MonthPlace {
  /** What is still to come of the month cannot be missing; UTC milliseconds. */
  readonly now: number;
  /** That of a report; null where it is not known. */
  readonly currencyOf: (report: StoredReport) => string | null;
}

export function monthRecord({ from, to, totals, dates }: DeviceMonth, place: MonthPlace) {
  return {
    ...{ from: isoTime(from), to: isoTime(to) },
    totals: totals.list().map(sumsRecord),
    days: dates.map((date) => dateRecord(date, place)),
  };
}

function dateRecord(date: MonthDate, { now, currencyOf }: MonthPlace) {
  const { key, from, to, sums, closings, openCount } = date;
  return {
    ...{ date: key, from: isoTime(from), to: isoTime(to) },
    sums: sums.list().map(sumsRecord),
    reports: closings.map((closing) => ({
      ...closingRecord(closing),
      currency: closing.currency ?? currencyOf(closing.report),
    })),
    openCount,
    missing: to <= now && openCount > 0 && closings.length === 0,
  };
}

function closingRecord({ report, unseen, difference }: MonthClosing) {
  const { receiptCount, reversalCount, grossMinor, reversalsMinor } = difference;
  return {
    ...{ reportId: report.id, reportNumber: report.reportNumber, at: isoTime(report.bookedAt) },
    difference: {
      ...{ receiptCount, reversalCount },
      totals: { gross: unitsOrNull(grossMinor), reversals: unitsOrNull(reversalsMinor) },
    },
    ...{ balanced: isBalanced(difference), unseenReports: unseen },
  };
}
