/** `/reports`: stored X and Z reports. */

import { REPORT_TYPES } from "#core/command/report-result.ts";
import { scopedRoutes } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { choice, instant, pagination, query, text } from "../../http/query.ts";
import { ReportAnswer, ReportList } from "./schema.ts";
import type { ReportService } from "./service.ts";

/** The routes over the service. */
export function reportRoutes(service: ReportService) {
  return scopedRoutes("reports", "Reports")
    .get(
      "/reports",
      ({ principal, query: { sortOrder: order, limit, startAfter, sortBy: _, ...filter } }) =>
        service.list(principal.orgId, filter, { limit, startAfter, order }),
      {
        query: query({
          deviceId: text(),
          type: choice(REPORT_TYPES),
          from: instant(),
          to: instant(),
          ...pagination(["createdAt"]),
        }),
        detail: { summary: "List X and Z reports", responses: success(ReportList) },
      },
    )
    .get(
      "/reports/:reportId",
      ({ principal, params: { reportId } }) => ({
        report: service.get(principal.orgId, reportId),
      }),
      { detail: { summary: "Get a report", responses: success(ReportAnswer) } },
    );
}
