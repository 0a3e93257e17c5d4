/** `get_logo_capabilities`: how large a logo may be by the profile. */

import type { CustomCommand } from "../command.ts";

export const getLogoCapabilities = {
  type: "get_logo_capabilities",
  execute: async ({ device }) => {
    device.require("logoBegin", "logoPart", "logoEnd");
    const { logoBytes, logoWidthDots } = device.profile.limits;
    return { data: { maxWidth: logoWidthDots, maxHeight: null, maxBytes: logoBytes } };
  },
} satisfies CustomCommand;
