/** `get_info`: read the device's identification. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getInfo = {
  type: "get_info",
  category: "diagnostics",
  effect: "none",
  summary: "Read the device's identification",
  payload: EmptyPayload,
} satisfies CommandDefinition;
