/** `get_status`: read paper, cover, fiscal day and errors. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getStatus = {
  type: "get_status",
  category: "diagnostics",
  effect: "none",
  summary: "Read paper, cover, fiscal day and errors",
  payload: EmptyPayload,
} satisfies CommandDefinition;
