/** `set_datetime`: sets the device's clock to the local time of an instant. */

import { describeClock, instantToSet } from "../../shared/instant.ts";
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
    const instant = instantToSet(datetime, device.environment);
    const clock = formatClock(instant, timezone, device.dialect.clockMarksDaylight);
    await device.ask("setClock", { clock });
    device.kept.noteClock(instant);
    return { data: describeClock(instant) };
  },
} satisfies IslCommand;
