/** `print_duplicate`: prints the last document again. */

import { clearTheWay } from "../account.ts";
import type { ShtrihCommand } from "../command.ts";

export const printDuplicate = {
  type: "print_duplicate",
  execute: async ({ device, progress }) => {
    await clearTheWay(device);
    await progress.mark("committing");
    await device.ask("repeatDocument");
    return { data: {} };
  },
} satisfies ShtrihCommand;
