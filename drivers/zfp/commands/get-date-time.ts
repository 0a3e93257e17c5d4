/** `get_date_time`: reads the device's clock, which it tells to the minute. */

import { describeClock } from "../../shared/instant.ts";
import type { ZfpCommand } from "../command.ts";
import { readClock } from "../connect.ts";

export const getDateTime = {
  type: "get_date_time",
  execute: async ({ device }) => {
    const instant = await readClock(device);
    return { data: describeClock(instant) };
  },
} satisfies ZfpCommand;
