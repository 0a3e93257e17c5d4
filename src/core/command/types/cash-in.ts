/** `cash_in`: register a cash deposit. */

import { CashPayload, CashResult, cashIssues } from "../cash-movement.ts";
import type { CommandDefinition } from "../definition.ts";

export const cashIn = {
  category: "cash",
  effect: "ledger",
  summary: "Register a cash deposit",
  payload: CashPayload,
  result: CashResult,
  check: cashIssues,
} satisfies CommandDefinition;
