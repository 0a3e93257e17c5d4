/** Months as the API shows them: amounts in currency units. */

import { isoTime } from "#core/iso-time.ts";
import { isBalanced } from "./difference.ts";
import type { DeviceMonth, MonthClosing, MonthDate } from "./month.ts";
import { unitsOrNull } from "./records.ts";
import { sumsRecord } from "./summary-records.ts";

/** @param now what is still to come of the month cannot be missing; UTC milliseconds */
export function monthRecord({ from, to, totals, dates }: DeviceMonth, now: number) {
  return {
    ...{ from: isoTime(from), to: isoTime(to) },
    totals: totals.list().map(sumsRecord),
    days: dates.map((date) => dateRecord(date, now)),
  };
}

function dateRecord({ key, from, to, sums, closings, openCount }: MonthDate, now: number) {
  return {
    ...{ date: key, from: isoTime(from), to: isoTime(to) },
    sums: sums.list().map(sumsRecord),
    reports: closings.map(closingRecord),
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
