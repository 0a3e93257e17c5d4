/** `cash_out`: register a cash withdrawal. */

import { CashPayload, cashIssues } from "../cash-payload.ts";
import type { CommandDefinition } from "../definition.ts";

export const cashOut = {
  type: "cash_out",
  category: "cash",
  effect: "ledger",
  summary: "Register a cash withdrawal",
  payload: CashPayload,
  check: cashIssues,
} satisfies CommandDefinition;
