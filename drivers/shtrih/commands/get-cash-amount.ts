/** `get_cash_amount`: reads the cash in the drawer. E201 where the model tells none of it. */

import { FiscalError } from "#core/errors.ts";
import { describeDrawer, readDrawer } from "../cash.ts";
import type { ShtrihCommand } from "../command.ts";

export const getCashAmount = {
  type: "get_cash_amount",
  execute: async ({ device }) => {
    const drawer = await readDrawer(device);
    if (Object.values(drawer).every((minor) => minor === null)) {
      throw new FiscalError("E201", "This model does not tell its cash");
    }
    const cash = describeDrawer(drawer);
    return { data: { ...cash, currency: device.environment.currency } };
  },
} satisfies ShtrihCommand;
