/** Stored X and Z reports, one by one and in lists. */

import { ApiError } from "#core/errors.ts";
import type { Stores } from "#db/stores/index.ts";
import type { ReportFilter } from "#db/stores/report-list.ts";
import { type PageEnd, type PageQuery, readPage } from "../../http/paging.ts";
import { type ReportRecord, reportRecord } from "./records.ts";

export type ReportService = ReturnType<typeof createReportService>;

/** Makes the service. */
export function createReportService({ stores }: { readonly stores: Pick<Stores, "reports"> }) {
  return {
    /** @throws ApiError NOT_FOUND */
    get(orgId: string, reportId: string): ReportRecord {
      const report = stores.reports.get(orgId, reportId);
      if (report === undefined) throw new ApiError("NOT_FOUND", "No such report");
      return reportRecord(report);
    },

    /** @throws ApiError VALIDATION_ERROR when `startAfter` names no report */
    async list(
      orgId: string,
      filter: ReportFilter,
      page: PageQuery<"createdAt">,
    ): Promise<PageEnd & { reports: ReportRecord[] }> {
      const { rows, ...end } = await readPage(page, {
        what: "report",
        find: (id) => stores.reports.get(orgId, id),
        list: (place) => stores.reports.list(orgId, filter, place),
      });
      return { reports: rows.map(reportRecord), ...end };
    },
  };
}
