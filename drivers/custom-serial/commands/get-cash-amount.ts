/** `get_cash_amount`: reads the cash in the drawer. */

import { describeDrawerSum } from "../../shared/cash.ts";
import { readCashMinor } from "../cash.ts";
import type { CustomCommand } from "../command.ts";

export const getCashAmount = {
  type: "get_cash_amount",
  execute: async ({ device }) => {
    device.require("cash");
    const cash = describeDrawerSum(await readCashMinor(device));
    return { data: { ...cash, currency: device.environment.currency } };
  },
} satisfies CustomCommand;
