/** `print_duplicate`: prints the last receipt again, marked as a duplicate. */

import type { IslCommand } from "../command.ts";

export const printDuplicate = {
  type: "print_duplicate",
  needs: ["duplicate"],
  execute: async ({ device, progress }) => {
    await progress.mark("committing");
    await device.ask("duplicate");
    return { data: {} };
  },
} satisfies IslCommand;
