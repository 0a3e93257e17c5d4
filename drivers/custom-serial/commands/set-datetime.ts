/**
 * `set_datetime`: sets the device's clock, which has no seconds. The device may want to hear the
 * same again, up to twice, before it believes a time that is far from its own.
 */

import { FiscalError } from "#core/errors.ts";
import { instantToSet } from "../../shared/instant.ts";
import { readPayload } from "../../shared/payload.ts";
import { deviceTime } from "../clock.ts";
import type { CustomCommand } from "../command.ts";

const DONE = "0";
const ROUNDS_MAX = 3;
const MINUTE_MS = 60_000;

export const setDatetime = {
  type: "set_datetime",
  execute: async ({ device, command, progress }) => {
    const { datetime } = readPayload("set_datetime", command.payload);
    device.require("setClock");
    await progress.mark("committing");
    const { environment } = device;
    const instant = instantToSet(datetime, environment);
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const fields = await device.ask("setClock", { clock: deviceTime(instant, device) });
      if ((fields.get("flag") ?? DONE) === DONE) {
        const shown = Math.floor(instant / MINUTE_MS) * MINUTE_MS;
        device.kept.noteClock(shown);
        return { data: { dateTime: new Date(shown).toISOString() } };
      }
    }
    throw new FiscalError("E305", "The device did not take the time, however often it was told");
  },
} satisfies CustomCommand;
