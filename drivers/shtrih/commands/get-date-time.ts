/** `get_date_time`: reads the device's clock. */

import { FiscalError } from "#core/errors.ts";
import type { ShtrihCommand } from "../command.ts";

export const getDateTime = {
  type: "get_date_time",
  execute: async ({ device }) => {
    const instant = device.instantOf(await device.fullState());
    if (instant === undefined) {
      throw new FiscalError("E902", "The device's clock shows no date and time");
    }
    return { data: { dateTime: new Date(instant).toISOString() } };
  },
} satisfies ShtrihCommand;
