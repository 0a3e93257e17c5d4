/** A calendar month of a device: for each date what was sold, and the Z reports that were made. */

import { type BookedPlace, earlierOf, isBefore, placeBefore, placeOf } from "#core/booking.ts";
import { type CalendarPart, daysOf, type Interval } from "#core/calendar.ts";
import type { Stores } from "#db/stores/index.ts";
import { slicesOf } from "./books.ts";
import { Buckets } from "./buckets.ts";
import { type ClosedDay, closedDays } from "./daily.ts";
import { type Difference, differenceOf, NOT_COMPARED } from "./difference.ts";
import { addTo, emptyTally } from "./sums.ts";

/** A Z report of a date. */
export interface MonthClosing extends ClosedDay {
  /**
   * What it has beyond the stored receipts of its fiscal day, by number and worth alone: nothing is
   * told where those are of several currencies.
   */
  readonly difference: Difference;
  /** Of its receipts; undefined where it has none, or several. */
  readonly currency: string | undefined;
}

/** A fiscal day with what was sold in it, under the key `""`. */
interface SoldDay extends ClosedDay {
  readonly sold: Buckets;
}

/** A date of the month. */
export interface MonthDate extends CalendarPart {
  readonly closings: readonly MonthClosing[];
  /** Receipts of the date behind its last Z report; all of them where none was made. */
  readonly openCount: number;
  /** Of the receipts of the date, under its key. */
  readonly sums: Buckets;
}

/** A month of one device. */
export interface DeviceMonth extends Interval {
  readonly dates: readonly MonthDate[];
  /** Of the whole, under the key `""`. */
  readonly totals: Buckets;
}

/** Which month. */
export interface MonthQuestion extends Interval {
  readonly orgId: string;
  readonly deviceId: string;
  readonly timezone: string;
  /** In which dates without receipts are shown. */
  readonly currency: string;
}

type MonthStores = Pick<Stores, "bookedReceipts" | "reports">;

/** Adds up the month in one reading of its receipts, which are those of its fiscal days too. */
export async function readMonth(stores: MonthStores, asked: MonthQuestion): Promise<DeviceMonth> {
  const { orgId, deviceId, from, to, timezone, currency } = asked;
  const month = { after: placeBefore(from), upTo: placeBefore(to) };
  const closed: SoldDay[] = [];
  for await (const day of closedDays(stores, asked, month)) {
    closed.push({ ...day, sold: new Buckets() });
  }
  const dates = daysOf({ from, to }, timezone).map((part) => {
    const sums = new Buckets();
    sums.tally(part.key, currency);
    const closings = closed.filter(({ report }) => isWithin(report.bookedAt, part));
    return { ...part, sums, closings, openCount: 0, openBehind: closings.at(-1)?.upTo };
  });
  const totals = new Buckets();
  totals.tally("", currency);

  const after = closed.reduce((first, day) => earlierOf(first, day.after), month.after);
  const { bookedReceipts } = stores;
  const slices = slicesOf((part) => bookedReceipts.listTotals(orgId, deviceId, part), {
    ...{ after, upTo: month.upTo },
  });
  // Receipts, Z reports and dates are all in the order of the books.
  let [closing, date] = [0, 0];
  for await (const receipts of slices) {
    for (const receipt of receipts) {
      const { bookedAt, type, totalMinor, currency: own } = receipt;
      const place = placeOf(receipt);
      while (isBehind(place, closed[closing]?.upTo)) closing += 1;
      const day = closed[closing];
      if (day !== undefined && isBefore(day.after, place)) {
        addTo(day.sold.tally("", own), type, totalMinor);
      }
      if (bookedAt < from) continue;
      while (bookedAt >= (dates[date]?.to ?? Number.POSITIVE_INFINITY)) date += 1;
      const shown = dates[date];
      if (shown === undefined) throw new Error("a receipt beyond the month that was read");
      addTo(shown.sums.tally(shown.key, own), type, totalMinor);
      addTo(totals.tally("", own), type, totalMinor);
      if (shown.openBehind === undefined || isBefore(shown.openBehind, place)) shown.openCount += 1;
    }
  }
  return {
    ...{ from, to, totals },
    dates: dates.map((one) => ({ ...one, closings: one.closings.map(withDifference) })),
  };
}

function withDifference({ sold, ...day }: SoldDay): MonthClosing {
  const [only, ...others] = sold.list();
  if (others.length > 0) return { ...day, difference: NOT_COMPARED, currency: undefined };
  const total = only?.tally ?? emptyTally();
  const sums = { total, vat: new Map(), payments: new Map() };
  // Without what is not added up here.
  const report = { ...day.report, vat: null, payments: null };
  return { ...day, difference: differenceOf(report, sums), currency: only?.currency };
}

function isWithin(instant: number, { from, to }: Interval): boolean {
  return from <= instant && instant < to;
}

/** True for what lies behind a Z report. */
function isBehind(place: BookedPlace, closing: BookedPlace | undefined): boolean {
  return closing !== undefined && isBefore(closing, place);
}
