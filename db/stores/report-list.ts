/** Lists of reports: each combination of filters has an index of its own, because few are written. */

import type { ReportType } from "#core/command/report-result.ts";
import type { StoredReport } from "#core/report-record.ts";
import type { Database } from "../connection.ts";
import { REPORT_INDEXES, reports } from "../schema/reports.ts";
import { createLister, type Lister, type Listing, type Page } from "./list.ts";
import { type Entry, equals } from "./list-sql.ts";
import { ofOneKind } from "./one-kind.ts";

/** A report as the store gives it; `seq` grows with each. */
export type ReportRow = StoredReport & { readonly seq: number };

export interface ReportFilter {
  readonly deviceId?: string | undefined;
  readonly type?: ReportType | undefined;
  /** True for reports of simulated printers, which are left out otherwise; see `ofOneKind`. */
  readonly simulated?: boolean | undefined;
  /** createdAt, inclusive. */
  readonly from?: number | undefined;
  /** createdAt, exclusive. */
  readonly to?: number | undefined;
}

/** What reports can be in order of. */
export type ReportSort = "createdAt";
type Asked = Omit<ReportFilter, "simulated">;
type Field = "deviceId" | "type" | "simulated";
export type ReportPage = Page<ReportRow, ReportSort>;
type AnyLister = Lister<ReportRow, ReportSort, Field>;
/** Gives a page of reports of one kind; see `ofOneKind`. */
export type ReportLister = (
  orgId: string,
  filter: ReportFilter,
  page: ReportPage,
) => ReturnType<AnyLister>;

const { byOrg, byDevice, byType, byDeviceAndType } = REPORT_INDEXES;

const LISTING: Listing<ReportSort, Field> = {
  table: reports,
  orgId: reports.orgId,
  sorts: { createdAt: reports.createdAt },
  range: "createdAt",
  filters: {
    deviceId: equals(reports.deviceId, "deviceId"),
    type: equals(reports.type, "type"),
    simulated: equals(reports.simulated, "simulated"),
  },
  entries: (filter: Asked) => [entryOf(filter)],
  // Nothing is ever searched.
  filterEntries: () => [],
};

/** Makes the function that reads a page of reports. */
export function createReportLister(orm: Database["orm"]): ReportLister {
  const list: AnyLister = createLister(orm, LISTING);
  return (orgId, filter, page) => list(orgId, ofOneKind(filter), page);
}

function entryOf({ deviceId, type }: Asked): Entry<Field> {
  if (type === undefined) {
    return deviceId === undefined
      ? { index: byOrg, filters: ["simulated"] }
      : { index: byDevice, filters: ["deviceId"] };
  }
  return deviceId === undefined
    ? { index: byType, filters: ["simulated", "type"] }
    : { index: byDeviceAndType, filters: ["deviceId", "type"] };
}
