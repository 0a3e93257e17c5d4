/** `get_cash_amount`: read the cash in the drawer. */

import { Type } from "@sinclair/typebox";
import { CashResult } from "../cash-movement.ts";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

const GetCashAmountResult = Type.Object({
  ...CashResult.properties,
  currency: Type.String({ minLength: 1, description: "ISO 4217" }),
});

export const getCashAmount = {
  category: "cash",
  effect: "none",
  summary: "Read the cash in the drawer",
  payload: EmptyPayload,
  result: GetCashAmountResult,
  leftOut: ({ currency }) => ({ currency }),
} satisfies CommandDefinition;
