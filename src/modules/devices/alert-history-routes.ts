/** `/alerts`: what devices needed a person for, and when. */

import { ALERT_STATES } from "#core/device/alert-history.ts";
import { ALERT_SEVERITIES } from "#core/device/alerts.ts";
import { scopedRoutes } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { choice, pagination, query, text } from "../../http/query.ts";
import type { AlertHistory } from "./alert-history.ts";
import { AlertHistoryPage, PastAlertAnswer } from "./alert-history-schema.ts";

/** The routes over the service. */
export function alertHistoryRoutes(history: AlertHistory) {
  return scopedRoutes("devices:read", "Devices")
    .get(
      "/alerts",
      ({ principal, query: { state, deviceId, severity, ...page } }) =>
        history.list(principal.orgId, { state, deviceId, severity }, page),
      {
        query: query({
          state: choice(ALERT_STATES, "all"),
          ...{ deviceId: text(), severity: choice(ALERT_SEVERITIES) },
          ...pagination(["detectedAt"]),
        }),
        detail: {
          summary: "List which alerts stood when, and how each ended",
          description:
            "In the order in which the event `device.alert` told of them, which is a moment after " +
            "they are there: `GET /devices/alerts` has what stands right now. Kept for 90 days after " +
            "the end, the latest 1,000 of each device. Alerts of removed devices are among them.",
          responses: success(AlertHistoryPage),
        },
      },
    )
    .get(
      "/alerts/:alertId",
      ({ principal, params: { alertId } }) => ({ alert: history.get(principal.orgId, alertId) }),
      {
        detail: {
          summary: "Get an alert of the history",
          description: "By its `id` in `GET /alerts`: whether it still stands, and how it ended.",
          responses: success(PastAlertAnswer),
        },
      },
    );
}
