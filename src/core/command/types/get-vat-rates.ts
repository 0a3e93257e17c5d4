/** `get_vat_rates`: read the VAT table. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getVatRates = {
  type: "get_vat_rates",
  category: "diagnostics",
  effect: "none",
  summary: "Read the VAT table",
  payload: EmptyPayload,
} satisfies CommandDefinition;
