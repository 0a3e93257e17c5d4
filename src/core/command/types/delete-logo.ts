/** `delete_logo`: remove the logo. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const deleteLogo = {
  type: "delete_logo",
  category: "configuration",
  effect: "device",
  summary: "Remove the logo",
  payload: EmptyPayload,
} satisfies CommandDefinition;
