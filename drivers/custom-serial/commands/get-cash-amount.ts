/** `get_cash_amount`: reads the cash in the drawer. */

import { describeCash, readCashMinor } from "../cash.ts";
import type { CustomCommand } from "../command.ts";

export const getCashAmount = {
  type: "get_cash_amount",
  execute: async ({ device }) => {
    device.require("cash");
    const cash = describeCash(await readCashMinor(device));
    return { data: { ...cash, currency: device.environment.currency } };
  },
} satisfies CustomCommand;
