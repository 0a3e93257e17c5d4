/** `open_drawer`: an impulse to the drawer, without printing. */

import type { ZfpCommand } from "../command.ts";

export const openDrawer = {
  type: "open_drawer",
  execute: async ({ device, progress }) => {
    await progress.mark("committing");
    await device.ask("openDrawer");
    return { data: {} };
  },
} satisfies ZfpCommand;
