/** Sums of stored receipts: a date beside its Z reports, and summaries for charts. */

import { localDate, monthOf, YEARS } from "#core/calendar.ts";
import { type ValidationIssue, validationError } from "#core/errors.ts";
import { SUMMARY_HOURS_MS_MAX, SUMMARY_MS_MAX } from "#core/limits.ts";
import type { StoredReport } from "#core/report-record.ts";
import { type ReportCurrencyStores, reportCurrencyOf } from "#db/stores/command-currency.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { type AskedDevices, findDevices } from "./books.ts";
import { type DateOfDevice, type DeviceDate, readClosed, readDate } from "./daily.ts";
import { comparison, type DateRecord, dateRecord } from "./daily-records.ts";
import { type DaysBeside, type SalesQuestion, salesOfDays } from "./day-sales.ts";
import { readMonth } from "./month.ts";
import { monthRecord } from "./month-records.ts";
import { type SummaryKey, summarize } from "./summary.ts";
import { summaryRecord } from "./summary-records.ts";

export interface FigureOptions {
  readonly stores: Pick<Stores, "bookedReceipts" | "devices" | "reports"> & ReportCurrencyStores;
  readonly clock: Pick<Clock, "now">;
  /** IANA name of the zone in which a device stands. */
  timezoneOf(orgId: string, deviceId: string): string;
}

/** A date as it was asked for. */
export interface DailyRequest extends AskedDevices {
  /** `YYYY-MM-DD`; today when absent. */
  readonly date: string | undefined;
}

/** A month as it was asked for. */
export interface MonthRequest {
  readonly month: string | undefined;
  readonly deviceId: string;
}

/** A summary as it was asked for. */
export interface SummaryRequest extends AskedDevices {
  readonly from: number;
  readonly to: number;
  readonly by: SummaryKey;
}

const DAY_MS = 86_400_000;
/** Of `YYYY-MM`. */
const MONTH_LENGTH = 7;

export type FigureService = ReturnType<typeof createFigureService>;

/** Makes the service. */
export function createFigureService({ stores, clock, timezoneOf }: FigureOptions) {
  const currencyOf = (report: StoredReport) => reportCurrencyOf(stores, report);

  return {
    /**
     * The date of one device, or of every device that is registered or has anything on it.
     * @throws ApiError NOT_FOUND
     */
    async daily(orgId: string, { date: day, ...asked }: DailyRequest) {
      const { currency, timezone: home } = stores.organizations.of(orgId);
      const date = day ?? localDate(clock.now(), home);
      const devices: DateRecord[] = [];
      const { deviceIds, simulated } = findDevices(stores, orgId, asked);
      for (const deviceId of deviceIds) {
        const timezone = timezoneOf(orgId, deviceId);
        const read = await readDate(stores, { orgId, deviceId, date, timezone });
        const device = stores.devices.get(orgId, deviceId);
        if (device === undefined && asked.deviceId === undefined && isQuiet(read)) continue;
        const { locationId = null } = device ?? {};
        devices.push(dateRecord(read, { currency, currencyOf, locationId, simulated }));
      }
      return { date, devices };
    },

    /** @throws ApiError NOT_FOUND, VALIDATION_ERROR when the interval is too long */
    async summary(orgId: string, { from, to, by, ...asked }: SummaryRequest) {
      const issues = intervalIssues({ from, to, by });
      if (issues.length > 0) throw validationError(issues);
      const { timezone, currency } = stores.organizations.of(orgId);
      const { deviceIds, simulated } = findDevices(stores, orgId, asked);
      const question = { orgId, from, to, timezone, currency, deviceIds };
      const summary = await summarize(stores, question, [by]);
      return summaryRecord(summary, by, { ...question, simulated });
    },

    /**
     * A month of one device: what was sold on each date, and the Z reports made on it.
     * @param month `YYYY-MM`; the current one unless given
     * @throws ApiError NOT_FOUND
     */
    async month(orgId: string, { month: asked, deviceId }: MonthRequest) {
      const { simulated } = findDevices(stores, orgId, { deviceId });
      const { currency } = stores.organizations.of(orgId);
      const timezone = timezoneOf(orgId, deviceId);
      const now = clock.now();
      const month = asked ?? localDate(now, timezone).slice(0, MONTH_LENGTH);
      const span = monthOf(month, timezone);
      const read = await readMonth(stores, { orgId, deviceId, timezone, currency, ...span });
      return { deviceId, month, timezone, simulated, ...monthRecord(read, { now, currencyOf }) };
    },

    /** A stored Z report beside the receipts of the fiscal day that it closed. */
    async closed(books: Pick<DateOfDevice, "orgId" | "deviceId">, report: StoredReport) {
      const day = await readClosed(stores, books, report);
      const own = day?.stored.latest ?? currencyOf(report);
      const currency = own ?? stores.organizations.of(books.orgId).currency;
      return { currency, ...comparison(day?.difference ?? null) };
    },

    /** What was sold on a day, beside another one. */
    daySales: (question: SalesQuestion, days: DaysBeside) => salesOfDays(stores, question, days),
  };
}

function isQuiet({ fiscalDays }: DeviceDate): boolean {
  return fiscalDays.length === 0;
}

function intervalIssues({
  from,
  to,
  by,
}: Omit<SummaryRequest, keyof AskedDevices>): ValidationIssue[] {
  const isOutside = (instant: number) => {
    const year = new Date(instant).getUTCFullYear();
    return year < YEARS.first || year >= YEARS.last;
  };
  const outside = Object.entries({ from, to }).filter(([, instant]) => isOutside(instant));
  if (outside.length > 0) {
    const message = `Expected a year from ${YEARS.first} to ${YEARS.last - 1}`;
    return outside.map(([path]) => ({ path, message }));
  }
  const most = by === "hour" ? SUMMARY_HOURS_MS_MAX : SUMMARY_MS_MAX;
  if (to - from <= most) return [];
  const message = `Expected at most ${Math.floor(most / DAY_MS)} days from one end to the other`;
  return [{ path: "to", message }];
}
