/** `get_header_footer_capabilities`: how much text fits above a receipt; there is no footer. */

import type { CustomCommand } from "../command.ts";

export const getHeaderFooterCapabilities = {
  type: "get_header_footer_capabilities",
  execute: async ({ device }) => {
    device.require("headerLine");
    const { headerLines, headerText } = device.profile.limits;
    return {
      data: { maxHeaderLines: headerLines, maxFooterLines: 0, maxCharsPerLine: headerText },
    };
  },
} satisfies CustomCommand;
