/** `cash_out`: register a cash withdrawal. */

import { CashPayload, cashIssues, MovedCashResult } from "../cash-movement.ts";
import type { CommandDefinition } from "../definition.ts";

export const cashOut = {
  category: "cash",
  effect: "ledger",
  summary: "Register a cash withdrawal",
  payload: CashPayload,
  result: MovedCashResult,
  check: cashIssues,
} satisfies CommandDefinition;
