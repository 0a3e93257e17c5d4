/** Stored X and Z reports, one by one and in lists. */

import { ApiError, validationError } from "#core/errors.ts";
import type { Stores } from "#db/stores/index.ts";
import type { ReportFilter, ReportPage } from "#db/stores/reports.ts";
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
    list(
      orgId: string,
      filter: ReportFilter,
      page: Omit<ReportPage, "startAfter"> & { readonly startAfter: string | undefined },
    ): { reports: ReportRecord[]; hasMore: boolean; lastId: string } {
      const startAfter =
        page.startAfter === undefined ? undefined : stores.reports.get(orgId, page.startAfter);
      if (page.startAfter !== undefined && !startAfter) {
        throw validationError([{ path: "startAfter", message: "Expected the id of a report" }]);
      }
      // One more than asked for tells whether there is more.
      const found = stores.reports.list(orgId, filter, {
        ...{ order: page.order, limit: page.limit + 1, startAfter },
      });
      const shown = found.slice(0, page.limit);
      return {
        reports: shown.map(reportRecord),
        hasMore: found.length > page.limit,
        lastId: shown.at(-1)?.id ?? "",
      };
    },
  };
}
