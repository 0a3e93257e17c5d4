/** `get_cash_amount`: reads the cash in the drawer. */

import { readCash } from "../cash.ts";
import type { IslCommand } from "../command.ts";

export const getCashAmount = {
  type: "get_cash_amount",
  needs: ["cashRead"],
  execute: async ({ device }) => ({ data: readCash(await device.ask("cashRead")) }),
} satisfies IslCommand;
