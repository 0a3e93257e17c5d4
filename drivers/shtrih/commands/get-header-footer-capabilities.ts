/** `get_header_footer_capabilities`: how much text fits above and below a receipt. */

import type { ShtrihCommand } from "../command.ts";
import { FACTORY } from "../dialects/factory.ts";
import { textSize } from "../texts.ts";

export const getHeaderFooterCapabilities = {
  type: "get_header_footer_capabilities",
  execute: async ({ device }) => ({
    data: {
      maxHeaderLines: FACTORY.header.count,
      maxFooterLines: FACTORY.footer.count,
      maxCharsPerLine: Math.min(await textSize(device), device.facts.lineWidth),
    },
  }),
} satisfies ShtrihCommand;
