/** What X and Z reports tell. These devices only say that a report was made. */

import type { ReportType } from "#core/command/report-result.ts";
import { toSecond } from "../shared/instant.ts";
import { emptyReport } from "../shared/report.ts";
import type { CustomDevice } from "./device.ts";

/** @param number of the Z report, or of the one that the day will be closed with */
export function describeReport(device: CustomDevice, type: ReportType, number: number | null) {
  const { fiscalMemorySerialNumber } = device.facts.info;
  return {
    ...emptyReport(type, fiscalMemorySerialNumber),
    reportNumber: number,
    closedAt: type === "z_report" ? toSecond(device.kept.clockNow()) : null,
  };
}
