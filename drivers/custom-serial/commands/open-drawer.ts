/** `open_drawer`: an impulse to the drawer, without printing. */

import type { CustomCommand } from "../command.ts";

export const openDrawer = {
  type: "open_drawer",
  execute: async ({ device, progress }) => {
    device.require("drawer");
    await progress.mark("committing");
    await device.ask("drawer");
    return { data: {} };
  },
} satisfies CustomCommand;
