/**
 * `set_datetime`: sets the device's clock to the local time of an instant. A date that was set has
 * to be confirmed before the device does anything else.
 */

import { FiscalError } from "#core/errors.ts";
import { fromLocalTime, type LocalTime, toLocalTime } from "#core/local-time.ts";
import { describeClock, instantToSet } from "../../shared/instant.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import type { ShtrihDevice } from "../device.ts";
import { dateField, timeField } from "../fields.ts";
import { MODE } from "../status.ts";

/** Date and time are set one after the other: a midnight between them happens once. */
const ROUNDS_MAX = 2;
/** How far apart clocks may be that show whole seconds, and whose line takes its time. */
const NEAR_MS = 3_000;

export const setDatetime = {
  type: "set_datetime",
  execute: async ({ device, command, progress }) => {
    const { datetime } = readPayload("set_datetime", command.payload);
    await progress.mark("committing");
    await confirmLeftDate(device);
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const instant = instantToSet(datetime, device.environment);
      const setAt = await setClock(device, toLocalTime(instant, device.environment.timezone));
      if (setAt === undefined) continue;
      device.kept.noteClock(instant + device.environment.now() - setAt);
      return { data: describeClock(instant) };
    }
    throw new FiscalError("E305", "The device's clock shows another time than it was set to");
  },
} satisfies ShtrihCommand;

/**
 * Sets date and time, and looks whether the clock shows them: where it passes midnight behind its new
 * date, it is a day ahead.
 * @returns when by our clock the time was set; undefined where it shows another one
 * @throws FiscalError
 */
async function setClock(device: ShtrihDevice, time: LocalTime): Promise<number | undefined> {
  const { environment } = device;
  await device.ask("setDate", dateField(time));
  await device.ask("confirmDate", dateField(time));
  const sentAt = environment.now();
  await device.ask("setTime", timeField(time));
  const setAt = environment.now();
  const { clock } = await device.fullState();
  if (clock === undefined) return undefined;
  const aheadMs = wallMs(clock) - wallMs(time);
  const isShown = aheadMs >= -NEAR_MS && aheadMs <= environment.now() - sentAt + NEAR_MS;
  return isShown ? setAt : undefined;
}

/** A reading in a row of its own, where no hour comes twice. */
function wallMs(time: LocalTime): number {
  return fromLocalTime(time, "UTC");
}

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
