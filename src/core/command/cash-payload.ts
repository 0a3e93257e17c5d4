/** The payload of `cash_in` and `cash_out`. */

import { type Static, Type } from "@sinclair/typebox";
import { LINE_CHARACTERS_MAX } from "../limits.ts";
import { amountIssues } from "./amount.ts";

export const CashPayload = Type.Object({
  amount: Type.Number({ exclusiveMinimum: 0, description: "Currency units" }),
  description: Type.Optional(Type.String({ maxLength: LINE_CHARACTERS_MAX })),
});
export type CashPayload = Static<typeof CashPayload>;

/** Faults of the amount. */
export function cashIssues(payload: CashPayload) {
  return amountIssues("amount", payload.amount, 1);
}
