/** Reports as the API shows them. */

import { localDate } from "#core/calendar.ts";
import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
import { fromMinor } from "#core/money.ts";
import type { StoredReport } from "#core/report-record.ts";
import { type ReportCurrencyStores, reportCurrencyOf } from "#db/stores/command-currency.ts";
import { timezoneOfDevice } from "#db/stores/device-place.ts";
import type { Stores } from "#db/stores/index.ts";

/** What a report does not say itself. */
interface AboutReport {
  /** Of its amounts; null where it is not known. */
  readonly currency: string | null;
  /** Of the place of its device. */
  readonly timezone: string;
}

/** The stores that tell what a report does not. */
export type ReportRecordStores = ReportCurrencyStores & Pick<Stores, "devices" | "locations">;

/** A report as a client sees it, by what is stored besides. */
export function storedReportRecord(stores: ReportRecordStores, report: StoredReport) {
  const currency = reportCurrencyOf(stores, report);
  return reportRecord(report, { currency, timezone: timezoneOfDevice(stores, report) });
}

/** A report as a client sees it: amounts in currency units. */
export function reportRecord(report: StoredReport, { currency, timezone }: AboutReport) {
  const { totals, vat, payments } = report;
  return {
    id: report.id,
    orgId: report.orgId,
    deviceId: report.deviceId,
    locationId: report.locationId,
    commandId: report.commandId,
    type: report.type,
    reportNumber: report.reportNumber,
    receiptCount: report.receiptCount,
    reversalCount: report.reversalCount,
    currency,
    totals: {
      gross: unitsOrNull(totals.grossMinor),
      reversals: unitsOrNull(totals.reversalsMinor),
      cashIn: unitsOrNull(totals.cashInMinor),
      cashOut: unitsOrNull(totals.cashOutMinor),
      cashBalance: unitsOrNull(totals.cashBalanceMinor),
    },
    vat:
      vat?.map(({ group, rate, turnoverMinor, taxMinor }) => ({
        ...{ group, rate, turnover: fromMinor(turnoverMinor), tax: unitsOrNull(taxMinor) },
      })) ?? null,
    payments:
      payments?.map(({ method, amountMinor }) => ({ method, amount: fromMinor(amountMinor) })) ??
      null,
    openedAt: isoTimeOrNull(report.openedAt),
    closedAt: isoTimeOrNull(report.closedAt),
    fiscalMemorySerialNumber: report.fiscalMemorySerialNumber,
    bookedAt: isoTime(report.bookedAt),
    date: localDate(report.bookedAt, timezone),
    createdAt: isoTime(report.createdAt),
    simulated: report.simulated,
  };
}
export type ReportRecord = ReturnType<typeof reportRecord>;

/** Minor units as currency units; null stays null. */
export function unitsOrNull(minor: number | null): number | null {
  return minor === null ? null : fromMinor(minor);
}
