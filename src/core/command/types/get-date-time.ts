/** `get_date_time`: read the device clock. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getDateTime = {
  type: "get_date_time",
  category: "diagnostics",
  effect: "none",
  summary: "Read the device clock",
  payload: EmptyPayload,
} satisfies CommandDefinition;
