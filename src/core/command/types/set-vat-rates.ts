/** `set_vat_rates`: programs the device's VAT table. */

import { type Static, Type } from "@sinclair/typebox";
import { toScaled } from "../../money.ts";
import { orNull } from "../../schema-parts.ts";
import { VAT_GROUP_COUNT, VAT_GROUP_PATTERN, VAT_RATE_GROUP_PATTERN } from "../../vat.ts";
import type { CommandDefinition } from "../definition.ts";

function vatRatesOf(groupPattern: string, countMax: number) {
  return Type.Object({
    rates: Type.Array(
      Type.Object({
        group: Type.String({ pattern: groupPattern }),
        rate: Type.Number({ minimum: 0, maximum: 100, description: "Percent" }),
        enabled: Type.Boolean(),
      }),
      { minItems: 1, maxItems: countMax },
    ),
  });
}

const SetVatRatesPayload = vatRatesOf(VAT_RATE_GROUP_PATTERN, VAT_GROUP_COUNT);
export type SetVatRatesPayload = Static<typeof SetVatRatesPayload>;

/** The same with `exempt`, for those who give the whole table as they show it. */
export const WholeVatTable = vatRatesOf(VAT_GROUP_PATTERN, VAT_GROUP_COUNT + 1);
export type WholeVatTable = Static<typeof WholeVatTable>;

function check(payload: SetVatRatesPayload) {
  return payload.rates.flatMap((rate, index) => {
    const path = `rates.${index}`;
    if (toScaled(rate.rate, 2) === undefined) {
      return [{ path: `${path}.rate`, message: "Expected at most 2 decimals" }];
    }
    const first = payload.rates.findIndex((other) => other.group === rate.group);
    return first === index ? [] : [{ path: `${path}.group`, message: "Group given twice" }];
  });
}

const SetVatRatesResult = Type.Object({
  changesLeft: Type.Optional(
    orNull(Type.Integer({ minimum: 0, description: "How often the table may still be changed" })),
  ),
});

export const setVatRates = {
  category: "configuration",
  effect: "device",
  summary: "Configure the VAT table",
  payload: SetVatRatesPayload,
  result: SetVatRatesResult,
  check,
} satisfies CommandDefinition;
