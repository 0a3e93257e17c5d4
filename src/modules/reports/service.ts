/** Stored X and Z reports, one by one and in lists. */

import { actorOf, type Principal } from "#core/access.ts";
import { ApiError } from "#core/errors.ts";
import type { Stores } from "#db/stores/index.ts";
import type { ReportFilter } from "#db/stores/report-list.ts";
import type { Writer } from "#db/writer.ts";
import { type PageEnd, type PageQuery, readPage } from "../../http/paging.ts";
import type { Clock } from "../../platform/clock.ts";
import { type ReportRecord, reportRecord } from "./records.ts";

interface ReportServiceOptions {
  readonly stores: Pick<Stores, "audit" | "reports">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
}

const LOOKED_AT = "report.looked_at";

export type ReportService = ReturnType<typeof createReportService>;

/** Makes the service. */
export function createReportService({ stores, writer, clock }: ReportServiceOptions) {
  const existing = (orgId: string, reportId: string) => {
    const report = stores.reports.get(orgId, reportId);
    if (report === undefined) throw new ApiError("NOT_FOUND", "No such report");
    return report;
  };
  const lookedAt = (orgId: string, reportId: string): number | null => {
    const filter = { resource: reportId, action: LOOKED_AT } as const;
    return stores.audit.page(orgId, { filter, limit: 1, order: "asc" })[0]?.at ?? null;
  };

  return {
    /** @throws ApiError NOT_FOUND */
    get: (orgId: string, reportId: string): ReportRecord => reportRecord(existing(orgId, reportId)),

    /** Puts into the audit log that somebody has looked at it, the first time. @throws ApiError NOT_FOUND */
    async look(principal: Principal, reportId: string): Promise<void> {
      const { orgId } = principal;
      existing(orgId, reportId);
      await writer.run(() => {
        if (lookedAt(orgId, reportId) !== null) return;
        const entry = { orgId, at: clock.now(), actor: actorOf(principal), details: null };
        stores.audit.append({ ...entry, action: LOOKED_AT, resource: reportId });
      });
    },

    /** When somebody looked at it first; UTC milliseconds, null while nobody has. */
    lookedAt,

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
