/** `get_header_footer_capabilities`: how much text fits above and below a receipt. */

import type { ShtrihCommand } from "../command.ts";
import { textWidth } from "../texts.ts";

export const getHeaderFooterCapabilities = {
  type: "get_header_footer_capabilities",
  execute: async ({ device }) => ({
    data: {
      maxHeaderLines: device.facts.texts.header.count,
      maxFooterLines: device.facts.texts.footer.count,
      maxCharsPerLine: await textWidth(device),
    },
  }),
} satisfies ShtrihCommand;
