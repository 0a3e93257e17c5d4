/** `get_date_time`: reads the device's clock, which it tells to the minute. */

import { describeClock } from "../../shared/instant.ts";
import { noteClock } from "../clock-text.ts";
import type { ZfpCommand } from "../command.ts";

export const getDateTime = {
  type: "get_date_time",
  execute: async ({ device }) => {
    const answer = await device.ask("clock");
    return { data: describeClock(noteClock(device, answer.text)) };
  },
} satisfies ZfpCommand;
