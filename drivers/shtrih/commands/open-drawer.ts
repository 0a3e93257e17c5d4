/** `open_drawer`: an impulse to the first drawer, without printing. */

import type { ShtrihCommand } from "../command.ts";

export const openDrawer = {
  type: "open_drawer",
  execute: async ({ device, progress }) => {
    await progress.mark("committing");
    await device.ask("drawer", Uint8Array.of(0));
    return { data: {} };
  },
} satisfies ShtrihCommand;
