/** `get_date_time`: reads the device's clock. */

import { describeClock } from "../../shared/instant.ts";
import { readClockText } from "../clock-text.ts";
import type { IslCommand } from "../command.ts";

export const getDateTime = {
  type: "get_date_time",
  needs: ["getClock"],
  execute: async ({ device }) => {
    const text = (await device.ask("getClock")).text("clock");
    const instant = readClockText(device, text);
    const data = describeClock(instant);
    if (instant !== undefined) device.kept.noteClock(instant);
    return { data };
  },
} satisfies IslCommand;
