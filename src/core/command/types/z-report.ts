/** `z_report`: close the fiscal day. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const zReport = {
  type: "z_report",
  category: "reports",
  effect: "ledger",
  summary: "Close the fiscal day",
  payload: EmptyPayload,
} satisfies CommandDefinition;
