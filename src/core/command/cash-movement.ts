/** What `cash_in` and `cash_out` take and answer. */

import { type Static, Type } from "@sinclair/typebox";
import { LINE_CHARACTERS_MAX } from "../limits.ts";
import { orNull } from "../schema-parts.ts";
import { AmountSchema, amountIssues } from "./amount.ts";
import { Amount, LastDocumentNumber, type ReadonlyStatic } from "./result-fields.ts";

export const CashPayload = Type.Object({
  amount: AmountSchema,
  description: Type.Optional(
    Type.String({
      maxLength: LINE_CHARACTERS_MAX,
      description: "Printed where the protocol has a field for it: by Tremol, 30 characters of it",
    }),
  ),
});
export type CashPayload = Static<typeof CashPayload>;

/** Faults of the amount. */
export function cashIssues(payload: CashPayload) {
  return amountIssues("amount", payload.amount);
}

/** The drawer, as far as the device tells. */
export const CashResult = Type.Object({
  cashBalance: orNull(Amount),
  cashIn: Type.Optional(
    orNull(Type.Number({ description: "Put in during the fiscal day, currency units" })),
  ),
  cashOut: Type.Optional(
    orNull(Type.Number({ description: "Taken out during the fiscal day, currency units" })),
  ),
});
export type CashResult = ReadonlyStatic<typeof CashResult>;

/** The drawer behind a movement. */
export const MovedCashResult = Type.Object({
  ...CashResult.properties,
  lastDocumentNumber: LastDocumentNumber,
});
export type MovedCashResult = ReadonlyStatic<typeof MovedCashResult>;
