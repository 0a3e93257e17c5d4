/** `print_duplicate`: reprint the last receipt as a non-fiscal duplicate. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const printDuplicate = {
  type: "print_duplicate",
  category: "receipts",
  effect: "device",
  summary: "Reprint the last receipt as a non-fiscal duplicate",
  payload: EmptyPayload,
} satisfies CommandDefinition;
