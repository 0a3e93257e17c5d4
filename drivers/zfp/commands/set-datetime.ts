/** `set_datetime`: sets the device's clock to the local time of an instant. */

import { describeClock, instantToSet } from "../../shared/instant.ts";
import { readPayload } from "../../shared/payload.ts";
import { formatClock } from "../clock-text.ts";
import type { ZfpCommand } from "../command.ts";

export const setDatetime = {
  type: "set_datetime",
  execute: async ({ device, command, progress }) => {
    const { datetime } = readPayload("set_datetime", command.payload);
    await progress.mark("committing");
    const instant = instantToSet(datetime, device.environment);
    await device.ask("setClock", formatClock(instant, device.environment.timezone));
    device.kept.noteClock(instant);
    return { data: describeClock(instant) };
  },
} satisfies ZfpCommand;
