/** The history of alerts as the API shows it. */

import { Type } from "@sinclair/typebox";
import { ALERT_ENDS } from "#core/device/alert-history.ts";
import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
import { DateTime } from "#core/schema-parts.ts";
import type { PastAlert } from "#db/stores/alert-history.ts";
import { named } from "../../http/named-schema.ts";
import { pageOf } from "../../http/paging.ts";
import { AlertFields } from "./schema.ts";

// What an alert counts stands in its message.
const { type: _, deviceName: __, documents: ___, since: ____, ...fields } = AlertFields.properties;

const AlertPeriodFields = Type.Object({
  id: Type.String(),
  type: Type.String({ description: "As of an alert; older versions may have had others" }),
  ...fields,
  deviceName: Type.String({ description: "As the device was called then" }),
  endedAt: Type.Union([DateTime, Type.Null()], {
    description: "Null while it stands",
  }),
  end: Type.Union([...ALERT_ENDS.map((end) => Type.Literal(end)), Type.Null()], {
    description:
      "How it ended: `cured`, it is no longer so; `settled`, a person said what became of it; " +
      "`out_of_reach`, the device could not be asked any more; `replaced`, a graver one of the " +
      "same matter took its place; `expired`, it had been shown for its time; `device_removed`. " +
      "Null while it stands",
  }),
  endedBy: Type.Union([Type.String(), Type.Null()], {
    description: "Who settled it, as the `actor` of the audit log; null where nobody did",
  }),
});
const AlertPeriodRecord = named("AlertPeriod", AlertPeriodFields);

export const AlertHistoryPage = pageOf("alerts", AlertPeriodRecord);
export const PastAlertAnswer = Type.Object({ alert: AlertPeriodRecord });

/** An alert with when it stood, and how it ended. */
export function alertPeriodRecord(row: PastAlert) {
  const { seq, type, severity, message, deviceId, deviceName, endedAt, end, endedBy } = row;
  return {
    ...{ id: String(seq), type, severity, message, deviceId, deviceName },
    detectedAt: isoTime(row.detectedAt),
    ...(row.commandId === null ? {} : { commandId: row.commandId }),
    ...(row.fiscalId === null ? {} : { fiscalId: row.fiscalId }),
    ...(row.standsOpen === true ? { standsOpen: true } : {}),
    endedAt: isoTimeOrNull(endedAt),
    ...{ end, endedBy },
  };
}
