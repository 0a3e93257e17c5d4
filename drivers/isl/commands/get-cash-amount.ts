/** `get_cash_amount`: reads the cash in the drawer. */

import { readCash } from "../cash.ts";
import type { IslCommand } from "../command.ts";

export const getCashAmount = {
  type: "get_cash_amount",
  needs: ["cashRead"],
  execute: async ({ device }) => {
    const cash = readCash(await device.ask("cashRead"));
    return { data: { ...cash, currency: device.environment.currency } };
  },
} satisfies IslCommand;
