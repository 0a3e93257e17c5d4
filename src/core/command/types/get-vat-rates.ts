/** `get_vat_rates`: read the VAT table. */

import { Type } from "@sinclair/typebox";
import { VAT_RATE_GROUP_PATTERN } from "../../vat.ts";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { Percent } from "../result-fields.ts";

const GetVatRatesResult = Type.Object({
  rates: Type.Array(
    Type.Object({
      group: Type.String({ pattern: VAT_RATE_GROUP_PATTERN }),
      rate: Percent,
      enabled: Type.Boolean(),
    }),
  ),
});

export const getVatRates = {
  category: "diagnostics",
  effect: "none",
  summary: "Read the VAT table",
  payload: EmptyPayload,
  result: GetVatRatesResult,
} satisfies CommandDefinition;
