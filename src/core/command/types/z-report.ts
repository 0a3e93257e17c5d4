/** `z_report`: close the fiscal day. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { ReportResult } from "../report-result.ts";

export const zReport = {
  category: "reports",
  effect: "ledger",
  summary: "Close the fiscal day",
  payload: EmptyPayload,
  result: ReportResult,
  leftOut: () => ({ type: "z_report" }),
} satisfies CommandDefinition;
