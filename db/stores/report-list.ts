/** Lists of reports: each combination of filters has an index of its own, because few are written. */

import type { ReportType } from "#core/command/report-result.ts";
import type { StoredReport } from "#core/report-record.ts";
import type { Database } from "../connection.ts";
import { REPORT_INDEXES, reports } from "../schema/reports.ts";
import { createLister, type Lister, type Listing, type Page } from "./list.ts";
import { type Entry, equals } from "./list-sql.ts";

/** A report as the store gives it; `seq` grows with each. */
export type ReportRow = StoredReport & { readonly seq: number };

export interface ReportFilter {
  readonly deviceId?: string | undefined;
  readonly type?: ReportType | undefined;
  /** createdAt, inclusive. */
  readonly from?: number | undefined;
  /** createdAt, exclusive. */
  readonly to?: number | undefined;
}

/** What reports can be in order of. */
export type ReportSort = "createdAt";
type Field = "deviceId" | "type";
export type ReportPage = Page<ReportRow, ReportSort>;
export type ReportLister = Lister<ReportRow, ReportSort, Field>;

const { byOrg, byDevice, byType, byDeviceAndType } = REPORT_INDEXES;

const LISTING: Listing<ReportSort, Field> = {
  table: reports,
  orgId: reports.orgId,
  sorts: { createdAt: reports.createdAt },
  range: "createdAt",
  filters: { deviceId: equals(reports.deviceId, "deviceId"), type: equals(reports.type, "type") },
  entries: (filter: ReportFilter) => [entryOf(filter)],
  // Nothing is ever searched.
  filterEntries: () => [],
};

/** Makes the function that reads a page of reports. */
export function createReportLister(orm: Database["orm"]): ReportLister {
  return createLister<ReportRow, ReportSort, Field>(orm, LISTING);
}

function entryOf({ deviceId, type }: ReportFilter): Entry<Field> {
  if (type === undefined) {
    return deviceId === undefined
      ? { index: byOrg, filters: [] }
      : { index: byDevice, filters: ["deviceId"] };
  }
  return deviceId === undefined
    ? { index: byType, filters: ["type"] }
    : { index: byDeviceAndType, filters: ["deviceId", "type"] };
}
