/** `cash_in`: registers a deposit. */

import { moveCash, recoverCash } from "../cash.ts";
import type { CustomCommand } from "../command.ts";

export const cashIn = {
  type: "cash_in",
  execute: (context) => moveCash(context, "cash_in"),
  resolve: (context) => recoverCash(context, "cash_in"),
} satisfies CustomCommand;
