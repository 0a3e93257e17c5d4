/** Reading which alerts stood when. */

import { noSuch } from "#core/errors.ts";
import type { AlertHistoryFilter, PastAlert } from "#db/stores/alert-history.ts";
import type { Stores } from "#db/stores/index.ts";
import { inOnePart, type PageQuery, readPage, seqOf } from "../../http/paging.ts";
import { alertPeriodRecord } from "./alert-history-schema.ts";

export type AlertHistory = ReturnType<typeof createAlertHistory>;

/** Makes the service. */
export function createAlertHistory({ stores }: { readonly stores: Pick<Stores, "alertHistory"> }) {
  const { alertHistory } = stores;
  return {
    /**
     * A page in the order in which the alerts were told.
     * @throws ApiError VALIDATION_ERROR when `startAfter` names no alert
     */
    async list(orgId: string, filter: AlertHistoryFilter, page: PageQuery<"detectedAt">) {
      const { rows, ...end } = await readPage(page, {
        what: "listed alert",
        find(id) {
          const row = alertHistory.get(orgId, seqOf(id));
          return row && identified(row);
        },
        list: (place) => inOnePart(alertHistory.page(orgId, { filter, ...place }).map(identified)),
      });
      return { alerts: rows.map(alertPeriodRecord), ...end };
    },

    /** @throws ApiError NOT_FOUND, also for one that is not kept any more */
    get(orgId: string, alertId: string) {
      const row = alertHistory.get(orgId, seqOf(alertId));
      if (row === undefined) throw noSuch("alert");
      return alertPeriodRecord(row);
    },
  };
}

/** Pages go on after an id. */
function identified(row: PastAlert) {
  return { ...row, id: String(row.seq) };
}
