/** `x_report`: read and print the day's totals without closing the day. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const xReport = {
  type: "x_report",
  category: "reports",
  effect: "device",
  summary: "Read and print the day's totals without closing the day",
  payload: EmptyPayload,
} satisfies CommandDefinition;
