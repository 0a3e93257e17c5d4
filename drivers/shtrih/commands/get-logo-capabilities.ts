/** `get_logo_capabilities`: how large a logo may be, where the model takes one. */

import type { ShtrihCommand } from "../command.ts";
import { LOGO_SIZE } from "../logo.ts";

export const getLogoCapabilities = {
  type: "get_logo_capabilities",
  execute: async () => ({
    data: { maxWidth: LOGO_SIZE.width, maxHeight: LOGO_SIZE.height, maxBytes: null },
  }),
} satisfies ShtrihCommand;
