/** `cash_out`: register a cash withdrawal. */

import { CashPayload, CashResult, cashIssues } from "../cash-movement.ts";
import type { CommandDefinition } from "../definition.ts";

export const cashOut = {
  category: "cash",
  effect: "ledger",
  summary: "Register a cash withdrawal",
  payload: CashPayload,
  result: CashResult,
  check: cashIssues,
} satisfies CommandDefinition;
