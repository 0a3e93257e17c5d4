/** `x_report`: read and print the day's totals without closing the day. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { ReportResult } from "../report-result.ts";

export const xReport = {
  category: "reports",
  effect: "device",
  // A slip as others are: some devices end what stands open before they print it.
  waitsForPerson: true,
  summary: "Read and print the day's totals without closing the day",
  payload: EmptyPayload,
  result: ReportResult,
  leftOut: () => ({ type: "x_report" }),
} satisfies CommandDefinition;
