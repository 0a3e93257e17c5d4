/** `get_last_receipt_info`: read what the device knows of its last receipt. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getLastReceiptInfo = {
  type: "get_last_receipt_info",
  category: "diagnostics",
  effect: "none",
  summary: "Read what the device knows of its last receipt",
  payload: EmptyPayload,
} satisfies CommandDefinition;
