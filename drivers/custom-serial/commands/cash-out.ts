/** `cash_out`: registers a withdrawal. */

import { moveCash, recoverCash } from "../cash.ts";
import type { CustomCommand } from "../command.ts";

export const cashOut = {
  type: "cash_out",
  execute: (context) => moveCash(context, "cash_out"),
  resolve: (context) => recoverCash(context, "cash_out"),
} satisfies CustomCommand;
