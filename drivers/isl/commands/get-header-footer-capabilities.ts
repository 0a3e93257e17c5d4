/** `get_header_footer_capabilities`: how much text fits above and below a receipt. */

import type { IslCommand } from "../command.ts";

export const getHeaderFooterCapabilities = {
  type: "get_header_footer_capabilities",
  needs: ["setHeader", "setFooter"],
  execute: async ({ device }) => ({
    data: {
      maxHeaderLines: device.dialect.header.lines,
      maxFooterLines: device.dialect.footer.lines,
      maxCharsPerLine: device.facts.lineWidth,
    },
  }),
} satisfies IslCommand;
