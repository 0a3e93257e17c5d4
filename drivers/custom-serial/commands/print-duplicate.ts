/** `print_duplicate`: prints the last receipt again, marked as a duplicate. */

import type { CustomCommand } from "../command.ts";

export const printDuplicate = {
  type: "print_duplicate",
  execute: async ({ device, progress }) => {
    device.require("duplicate");
    await progress.mark("committing");
    await device.ask("duplicate");
    return { data: {} };
  },
} satisfies CustomCommand;
