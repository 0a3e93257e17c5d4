/** `get_date_time`: reads the device's clock. */

import { FiscalError } from "#core/errors.ts";
import { parseClock } from "../clock-text.ts";
import type { IslCommand } from "../command.ts";

export const getDateTime = {
  type: "get_date_time",
  needs: ["getClock"],
  execute: async ({ device }) => {
    const text = (await device.ask("getClock")).text("clock");
    const { timezone } = device.environment;
    const instant = parseClock(text, timezone, device.dialect.clockMarksDaylight);
    if (instant === undefined) {
      throw new FiscalError("E902", "The device's clock shows no date and time");
    }
    device.facts.clockOffsetMs = instant - device.environment.now();
    return { data: { dateTime: new Date(instant).toISOString() } };
  },
} satisfies IslCommand;
