/** `set_datetime`: sets the device's clock to the local time of an instant. */

import { readPayload } from "../../shared/payload.ts";
import { formatClock } from "../clock-text.ts";
import type { IslCommand } from "../command.ts";

export const setDatetime = {
  type: "set_datetime",
  needs: ["setClock"],
  execute: async ({ device, command, progress }) => {
    const { datetime } = readPayload("set_datetime", command.payload);
    const { timezone } = device.environment;
    await progress.mark("committing");
    const instant =
      datetime === undefined ? nextSecond(device.environment.now()) : Date.parse(datetime);
    const clock = formatClock(instant, timezone, device.dialect.clockMarksDaylight);
    await device.ask("setClock", { clock });
    device.facts.clockOffsetMs = instant - device.environment.now();
    return { data: { dateTime: new Date(instant).toISOString() } };
  },
} satisfies IslCommand;

/** Devices count whole seconds, and refuse to be set before their last record, if by a fraction. */
function nextSecond(instant: number): number {
  return Math.ceil(instant / 1000) * 1000;
}
