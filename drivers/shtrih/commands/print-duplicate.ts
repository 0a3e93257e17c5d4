/** `print_duplicate`: prints the last document again. */

import type { ShtrihCommand } from "../command.ts";
import { readReady } from "../put-away.ts";

export const printDuplicate = {
  type: "print_duplicate",
  execute: async ({ device, progress }) => {
    await readReady(device);
    await progress.mark("committing");
    await device.ask("repeatDocument");
    return { data: {} };
  },
} satisfies ShtrihCommand;
