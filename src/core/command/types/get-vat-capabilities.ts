/** `get_vat_capabilities`: read which VAT rates the firmware accepts. */

import { Type } from "@sinclair/typebox";
import { orNull } from "../../schema-parts.ts";
import { VAT_RATE_GROUP_PATTERN } from "../../vat.ts";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { Count } from "../result-fields.ts";

const GetVatCapabilitiesResult = Type.Object({
  maxRates: Count,
  groups: Type.Array(Type.String({ pattern: VAT_RATE_GROUP_PATTERN })),
  namesProgrammable: Type.Boolean(),
  ratesProgrammable: Type.Optional(
    Type.Boolean({ description: "False where `set_vat_rates` is refused whatever it holds" }),
  ),
  changesLeft: orNull(Count),
});

export const getVatCapabilities = {
  category: "diagnostics",
  effect: "none",
  summary: "Read which VAT rates the firmware accepts",
  payload: EmptyPayload,
  result: GetVatCapabilitiesResult,
} satisfies CommandDefinition;
