/** `get_date_time`: reads the device's clock, which it tells to the minute. */

import { describeClock } from "../../shared/instant.ts";
import { readClock } from "../clock.ts";
import type { CustomCommand } from "../command.ts";

export const getDateTime = {
  type: "get_date_time",
  execute: async ({ device }) => {
    device.require("clock");
    return { data: describeClock(await readClock(device)) };
  },
} satisfies CustomCommand;
