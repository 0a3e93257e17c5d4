/** `print_duplicate`: prints the last receipt again, marked as a duplicate. */

import type { IslCommand } from "../command.ts";
import { lastDocumentNumber } from "../last-receipt.ts";

export const printDuplicate = {
  type: "print_duplicate",
  needs: ["duplicate"],
  execute: async ({ device, progress }) => {
    await progress.mark("committing");
    await device.ask("duplicate");
    return { data: await lastDocumentNumber(device) };
  },
} satisfies IslCommand;
