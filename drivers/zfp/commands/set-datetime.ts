/** `set_datetime`: sets the device's clock to the local time of an instant. */

import { readPayload } from "../../shared/payload.ts";
import { formatClock } from "../clock-text.ts";
import type { ZfpCommand } from "../command.ts";

export const setDatetime = {
  type: "set_datetime",
  execute: async ({ device, command, progress }) => {
    const { datetime } = readPayload("set_datetime", command.payload);
    await progress.mark("committing");
    const instant =
      datetime === undefined ? nextSecond(device.environment.now()) : Date.parse(datetime);
    await device.ask("setClock", formatClock(instant, device.environment.timezone));
    device.facts.clockOffsetMs = instant - device.environment.now();
    return { data: { dateTime: new Date(instant).toISOString() } };
  },
} satisfies ZfpCommand;

/** Devices count whole seconds, and refuse to be set before their last record, if by a fraction. */
function nextSecond(instant: number): number {
  return Math.ceil(instant / 1000) * 1000;
}
