/** `get_date_time`: reads the device's clock. */

import { describeClock } from "../../shared/instant.ts";
import type { ShtrihCommand } from "../command.ts";

export const getDateTime = {
  type: "get_date_time",
  execute: async ({ device }) => {
    const instant = device.instantOf(await device.fullState());
    return { data: describeClock(instant) };
  },
} satisfies ShtrihCommand;
