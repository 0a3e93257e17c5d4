/** Reports as the API shows them. */

import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
import { fromMinor } from "#core/money.ts";
import type { StoredReport } from "#core/report-record.ts";

/**
 * A report as a client sees it: amounts in currency units.
 * @param currency of its amounts; null where it is not known
 */
export function reportRecord(report: StoredReport, currency: string | null) {
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
    createdAt: isoTime(report.createdAt),
    simulated: report.simulated,
  };
}
export type ReportRecord = ReturnType<typeof reportRecord>;

/** Minor units as currency units; null stays null. */
export function unitsOrNull(minor: number | null): number | null {
  return minor === null ? null : fromMinor(minor);
}
