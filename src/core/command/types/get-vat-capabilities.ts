/** `get_vat_capabilities`: read which VAT rates the firmware accepts. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getVatCapabilities = {
  type: "get_vat_capabilities",
  category: "diagnostics",
  effect: "none",
  summary: "Read which VAT rates the firmware accepts",
  payload: EmptyPayload,
} satisfies CommandDefinition;
