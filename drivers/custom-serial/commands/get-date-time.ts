/** `get_date_time`: reads the device's clock, which it tells to the minute. */

import { describeClock } from "../../shared/instant.ts";
import { noteClock } from "../clock.ts";
import type { CustomCommand } from "../command.ts";

export const getDateTime = {
  type: "get_date_time",
  execute: async ({ device }) => {
    device.require("clock");
    return { data: describeClock(noteClock(device, await device.ask("clock"))) };
  },
} satisfies CustomCommand;
