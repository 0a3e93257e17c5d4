/** Stored X and Z reports, one by one and in lists. */

import { callerOf, covers, type Principal } from "#core/access.ts";
import { noSuch } from "#core/errors.ts";
import type { StoredReport } from "#core/report-record.ts";
import type { Stores } from "#db/stores/index.ts";
import type { ReportFilter } from "#db/stores/report-list.ts";
import type { Writer } from "#db/writer.ts";
import { type PageEnd, type PageQuery, readPage } from "../../http/paging.ts";
import type { Clock } from "../../platform/clock.ts";
import { type ReportRecord, type ReportRecordStores, storedReportRecord } from "./records.ts";

interface ReportServiceOptions {
  readonly stores: Pick<Stores, "reports"> & ReportRecordStores;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
}

const LOOKED_AT = "report.looked_at";
/** The look of whoever may have rung up by hand what is missing settles nothing for those above. */
const NO_JUDGE = { mayJudge: false };
/** One of a cashier, one of who may judge. */
const LOOKS_MAX = 2;

/** Whoever may set right what differs, as by a reversal: owners, admins, and keys for that. */
function mayJudge(principal: Principal): boolean {
  return covers(principal, "receipts:admin");
}

export type ReportService = ReturnType<typeof createReportService>;

/** Makes the service. */
export function createReportService({ stores, writer, clock }: ReportServiceOptions) {
  const existing = (orgId: string, reportId: string) => {
    const report = stores.reports.get(orgId, reportId);
    if (report === undefined) throw noSuch("report");
    return report;
  };
  const lookedAt = (principal: Principal, reportId: string): number | null => {
    const filter = { resource: reportId, action: LOOKED_AT } as const;
    const looks = stores.audit.page(principal.orgId, { filter, limit: LOOKS_MAX, order: "asc" });
    const counted = mayJudge(principal) ? looks.find(({ details }) => details === null) : looks[0];
    return counted?.at ?? null;
  };

  const record = (report: StoredReport) => storedReportRecord(stores, report);

  return {
    /** @throws ApiError NOT_FOUND */
    get: (orgId: string, reportId: string): ReportRecord => record(existing(orgId, reportId)),

    /** What a command has left; undefined where nothing is stored of it. */
    ofCommand(commandId: string): ReportRecord | undefined {
      const report = stores.reports.ofCommand(commandId);
      return report && record(report);
    },

    /**
     * Puts into the audit log that somebody has looked at it, the first time, and the first time that
     * it was somebody who may judge it.
     * @throws ApiError NOT_FOUND
     */
    async look(principal: Principal, reportId: string): Promise<void> {
      const { orgId } = principal;
      existing(orgId, reportId);
      await writer.run(() => {
        if (lookedAt(principal, reportId) !== null) return;
        const details = mayJudge(principal) ? null : NO_JUDGE;
        const entry = { ...callerOf(principal), at: clock.now(), details };
        stores.audit.append({ ...entry, action: LOOKED_AT, resource: reportId });
      });
    },

    /**
     * When somebody looked at it first, for who may judge it somebody who may; UTC milliseconds, null
     * while nobody has.
     */
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
      return { reports: rows.map(record), ...end };
    },
  };
}
