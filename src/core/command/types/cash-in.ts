/** `cash_in`: register a cash deposit. */

import { CashPayload, cashIssues } from "../cash-payload.ts";
import type { CommandDefinition } from "../definition.ts";

export const cashIn = {
  type: "cash_in",
  category: "cash",
  effect: "ledger",
  summary: "Register a cash deposit",
  payload: CashPayload,
  check: cashIssues,
} satisfies CommandDefinition;
