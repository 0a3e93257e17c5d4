/** `get_date_time`: reads the device's clock, which it tells to the minute. */

import { FiscalError } from "#core/errors.ts";
import type { ZfpCommand } from "../command.ts";
import { readClock } from "../connect.ts";

export const getDateTime = {
  type: "get_date_time",
  execute: async ({ device }) => {
    const instant = await readClock(device);
    if (instant === undefined) {
      throw new FiscalError("E902", "The device's clock shows no date and time");
    }
    return { data: { dateTime: new Date(instant).toISOString() } };
  },
} satisfies ZfpCommand;
