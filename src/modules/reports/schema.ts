/** What the report routes answer. */

import { Type } from "@sinclair/typebox";
import { ReportResult } from "#core/command/report-result.ts";
import { orNull } from "#core/command/result-fields.ts";

const DateTime = Type.String({ format: "date-time" });

export const ReportRecordSchema = Type.Object({
  id: Type.String(),
  orgId: Type.String(),
  deviceId: Type.String(),
  locationId: orNull(Type.String()),
  commandId: Type.String(),
  ...ReportResult.properties,
  createdAt: DateTime,
});

export const ReportAnswer = Type.Object({ report: ReportRecordSchema });
export const ReportList = Type.Object({
  reports: Type.Array(ReportRecordSchema),
  hasMore: Type.Boolean(),
  lastId: Type.String(),
});
