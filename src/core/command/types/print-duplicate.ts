/** `print_duplicate`: reprint the last receipt as a non-fiscal duplicate. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { PaperResult } from "../result-fields.ts";

export const printDuplicate = {
  category: "receipts",
  effect: "device",
  waitsForPerson: true,
  summary: "Reprint the last receipt as a non-fiscal duplicate",
  payload: EmptyPayload,
  result: PaperResult,
} satisfies CommandDefinition;
