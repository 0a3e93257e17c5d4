/** What was sold on a day, beside the same day of the week before. */

import type { Interval } from "#core/calendar.ts";
import { isoTime } from "#core/iso-time.ts";
import { fromMinor } from "#core/money.ts";
import type { Stores } from "#db/stores/index.ts";
import { devicesWithBooks } from "./books.ts";
import type { Bucket, Buckets } from "./buckets.ts";
import { type SummaryQuestion, summarize } from "./summary.ts";
import { bucketRecords, sumsRecord } from "./summary-records.ts";

type SalesStores = Pick<Stores, "bookedReceipts" | "devices" | "reports">;

/** Which sales. */
export interface SalesQuestion extends Pick<SummaryQuestion, "orgId" | "timezone" | "currency"> {
  /** All devices that have any books unless given. */
  readonly deviceIds: readonly string[] | undefined;
}

/** A date with its bounds. */
export interface CalendarDay extends Interval {
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** A day, and the one to compare it with. */
export interface DaysBeside {
  readonly day: CalendarDay;
  readonly weekBefore: CalendarDay;
}

/** Adds up both days: the first in all ways, the other by the hour. */
export async function salesOfDays(
  stores: SalesStores,
  { deviceIds: asked, ...question }: SalesQuestion,
  { day, weekBefore }: DaysBeside,
) {
  const all = devicesWithBooks(stores, question.orgId);
  const deviceIds = asked ? all.filter((id) => asked.includes(id)) : all;
  const keys = ["hour", "payment", "vat", "device"] as const;
  const { by, totals } = await summarize(stores, { ...question, ...day, deviceIds }, keys);
  const before = await summarize(stores, { ...question, ...weekBefore, deviceIds }, ["hour"]);
  return {
    totals: daySums(totals),
    hours: bucketRecords("hour", by.hour),
    payments: bucketRecords("payment", by.payment),
    vat: bucketRecords("vat", by.vat),
    devices: bucketRecords("device", by.device),
    weekBefore: {
      ...{ date: weekBefore.date, from: isoTime(weekBefore.from), to: isoTime(weekBefore.to) },
      totals: daySums(before.totals),
      hours: bucketRecords("hour", before.by.hour),
    },
  };
}

function daySums(totals: Buckets) {
  return totals.list().map((bucket) => ({ ...sumsRecord(bucket), average: averageOf(bucket) }));
}

/** Of a sale, to the nearest minor unit; half of one is rounded up. */
function averageOf({ tally: { count, minor } }: Bucket): number | null {
  return count.sale === 0 ? null : fromMinor(Math.round(minor.sale / count.sale));
}
