/** `get_cash_amount`: reads the cash in the drawer. */

import { describeDrawer, readDrawer } from "../cash.ts";
import type { ShtrihCommand } from "../command.ts";

export const getCashAmount = {
  type: "get_cash_amount",
  execute: async ({ device }) => {
    const cash = describeDrawer(await readDrawer(device));
    return { data: { ...cash, currency: device.environment.currency } };
  },
} satisfies ShtrihCommand;
