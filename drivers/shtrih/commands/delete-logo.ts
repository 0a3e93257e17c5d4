/** `delete_logo`: loads white lines, because the protocol has no word for no logo. */

import type { ShtrihCommand } from "../command.ts";
import { uploadLogo } from "../logo.ts";

export const deleteLogo = {
  type: "delete_logo",
  execute: async ({ device, progress }) => {
    await progress.mark("committing");
    await uploadLogo(device, []);
    return { data: {} };
  },
} satisfies ShtrihCommand;
