/** `delete_logo`: the logo is no longer printed; an upload brings the next one. */

import type { IslCommand } from "../command.ts";

export const deleteLogo = {
  type: "delete_logo",
  needs: ["logoOff"],
  execute: async ({ device, progress }) => {
    await progress.mark("committing");
    await device.ask("logoOff");
    return { data: {} };
  },
} satisfies IslCommand;
