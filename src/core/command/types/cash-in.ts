/** `cash_in`: register a cash deposit. */

import { CashPayload, cashIssues, MovedCashResult } from "../cash-movement.ts";
import type { CommandDefinition } from "../definition.ts";

export const cashIn = {
  category: "cash",
  effect: "ledger",
  summary: "Register a cash deposit",
  payload: CashPayload,
  result: MovedCashResult,
  check: cashIssues,
} satisfies CommandDefinition;
