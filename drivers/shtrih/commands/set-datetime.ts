/**
 * `set_datetime`: sets the device's clock to the local time of an instant. A date that was set has
 * to be confirmed before the device does anything else.
 */

import { toLocalTime } from "#core/local-time.ts";
import { describeClock, instantToSet } from "../../shared/instant.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import type { ShtrihDevice } from "../device.ts";
import { dateField, timeField } from "../fields.ts";
import { MODE } from "../status.ts";

export const setDatetime = {
  type: "set_datetime",
  execute: async ({ device, command, progress }) => {
    const { datetime } = readPayload("set_datetime", command.payload);
    await progress.mark("committing");
    const instant = instantToSet(datetime, device.environment);
    const time = toLocalTime(instant, device.environment.timezone);
    await confirmLeftDate(device);
    await device.ask("setDate", dateField(time));
    await device.ask("confirmDate", dateField(time));
    await device.ask("setTime", timeField(time));
    device.facts.clockOffsetMs = instant - device.environment.now();
    return { data: describeClock(instant) };
  },
} satisfies ShtrihCommand;

/**
 * Confirms a date that an earlier setting has left behind: the device may take no other one before,
 * nor any receipt. UNCONFIRMED on a device; where it refuses that date, the new one is tried all the
 * same.
 */
async function confirmLeftDate(device: ShtrihDevice): Promise<void> {
  const { mode, clock } = await device.fullState();
  if (mode !== MODE.waitsForDate || clock === undefined) return;
  await device.send("confirmDate", dateField(clock));
}
