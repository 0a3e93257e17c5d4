/** `get_operators`: read all fiscal operators. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getOperators = {
  type: "get_operators",
  category: "configuration",
  effect: "none",
  summary: "Read all fiscal operators",
  payload: EmptyPayload,
} satisfies CommandDefinition;
