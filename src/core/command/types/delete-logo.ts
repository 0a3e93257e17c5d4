/** `delete_logo`: remove the logo. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { EmptyResult } from "../result-fields.ts";

export const deleteLogo = {
  category: "configuration",
  effect: "device",
  summary: "Remove the logo",
  payload: EmptyPayload,
  result: EmptyResult,
} satisfies CommandDefinition;
