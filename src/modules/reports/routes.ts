/** `/reports`: stored X and Z reports. */

import { REPORT_TYPES } from "#core/command/report-result.ts";
import { scopedRoutes } from "../../http/access.ts";
import { DONE, noContent, refusals, success } from "../../http/answers.ts";
import {
  choice,
  date,
  month,
  pagination,
  period,
  query,
  required,
  text,
} from "../../http/query.ts";
import { simulatedOnly } from "../../http/simulated.ts";
import type { FigureService } from "./figures.ts";
import { CalendarAnswer, DailyAnswer, ReportAnswer, ReportList, SummaryAnswer } from "./schema.ts";
import type { ReportService } from "./service.ts";
import { SUMMARY_KEYS } from "./summary.ts";

/** The routes over the service. */
export function reportRoutes(service: ReportService, figures: FigureService) {
  const { from, to } = period();
  return scopedRoutes("reports", "Reports")
    .get(
      "/reports",
      ({ principal, query: { sortOrder, limit, startAfter, sortBy, ...filter } }) =>
        service.list(principal.orgId, filter, { sortOrder, limit, startAfter, sortBy }),
      {
        query: query({
          deviceId: text(),
          type: choice(REPORT_TYPES),
          simulated: simulatedOnly(),
          ...period(),
          ...pagination(["createdAt"]),
        }),
        detail: { summary: "List X and Z reports", responses: success(ReportList) },
      },
    )
    .get("/reports/daily", ({ principal, query: asked }) => figures.daily(principal.orgId, asked), {
      query: query({ date: date(), deviceId: text(), simulated: simulatedOnly() }),
      detail: {
        summary: "Compare a date's stored receipts with its Z reports",
        description:
          "Days begin by the clocks of the place where the device stands. Today unless a date " +
          "is given; a row for each device unless one is named.",
        responses: { ...success(DailyAnswer), ...refusals({ 404: "There is no such device" }) },
      },
    })
    .get(
      "/reports/calendar",
      ({ principal, query: asked }) => figures.month(principal.orgId, asked),
      {
        query: query({ month: month(), deviceId: required(text()) }),
        detail: {
          summary: "Show for each date of a month what a device sold and the Z reports made",
          description:
            "Dates begin by the clocks of the place where the device stands. This month unless one " +
            "is given. A Z report is compared by number and worth; GET /reports/daily tells more.",
          responses: {
            ...success(CalendarAnswer),
            ...refusals({ 404: "There is no such device" }),
          },
        },
      },
    )
    .get(
      "/reports/summary",
      ({ principal, query: asked }) => figures.summary(principal.orgId, asked),
      {
        query: query({
          from: required(from),
          to: required(to),
          deviceId: text(),
          simulated: simulatedOnly(),
          by: choice(SUMMARY_KEYS, "day"),
        }),
        detail: {
          summary: "Add up stored receipts by day, hour, tender, VAT group or device",
          description:
            "From (included) to (not included): at most 366 days, by hour 31. " +
            "Days and hours begin by the organization's clocks, empty ones are shown too.",
          responses: { ...success(SummaryAnswer), ...refusals({ 404: "There is no such device" }) },
        },
      },
    )
    .get(
      "/reports/:reportId",
      ({ principal, params: { reportId } }) => ({
        report: service.get(principal.orgId, reportId),
      }),
      { detail: { summary: "Get a report", responses: success(ReportAnswer) } },
    )
    .post(
      "/reports/:reportId/look",
      async ({ principal, params: { reportId } }) => {
        await service.look(principal, reportId);
        return noContent();
      },
      {
        detail: {
          summary: "Say that somebody has looked at a report",
          description:
            "The first time is kept in the audit log: `lastZ.lookedAt` of GET /today tells it, and " +
            "nobody has to be sent to a Z report that differs any more. To owners, admins and keys with " +
            "receipts:admin only one of them can tell so.",
          responses: DONE,
        },
      },
    );
}
