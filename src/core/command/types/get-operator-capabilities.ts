/** `get_operator_capabilities`: read what the device allows for operators. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getOperatorCapabilities = {
  type: "get_operator_capabilities",
  category: "diagnostics",
  effect: "none",
  summary: "Read what the device allows for operators",
  payload: EmptyPayload,
} satisfies CommandDefinition;
