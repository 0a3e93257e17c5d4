/** `open_drawer`: an impulse to the drawer, without printing. */

import type { IslCommand } from "../command.ts";

export const openDrawer = {
  type: "open_drawer",
  needs: ["drawer"],
  execute: async ({ device, progress }) => {
    await progress.mark("committing");
    await device.ask("drawer");
    return { data: {} };
  },
} satisfies IslCommand;
