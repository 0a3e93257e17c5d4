/** `get_header_footer_capabilities`: how much text fits above and below a receipt. */

import type { ZfpCommand } from "../command.ts";
import { LIMITS } from "../dialect.ts";

export const getHeaderFooterCapabilities = {
  type: "get_header_footer_capabilities",
  execute: async () => ({
    data: {
      maxHeaderLines: LIMITS.headerLines,
      maxFooterLines: LIMITS.footerLines,
      maxCharsPerLine: LIMITS.line,
    },
  }),
} satisfies ZfpCommand;
