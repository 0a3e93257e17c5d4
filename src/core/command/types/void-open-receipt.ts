/** `void_open_receipt`: cancel the receipt open on the device. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const voidOpenReceipt = {
  type: "void_open_receipt",
  category: "receipts",
  effect: "device",
  summary: "Cancel the receipt open on the device",
  payload: EmptyPayload,
} satisfies CommandDefinition;
