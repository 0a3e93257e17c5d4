/** `get_cash_amount`: read the cash in the drawer. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getCashAmount = {
  type: "get_cash_amount",
  category: "cash",
  effect: "none",
  summary: "Read the cash in the drawer",
  payload: EmptyPayload,
} satisfies CommandDefinition;
