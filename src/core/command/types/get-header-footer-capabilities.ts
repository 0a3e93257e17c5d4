/** `get_header_footer_capabilities`: read how many header and footer lines fit. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getHeaderFooterCapabilities = {
  type: "get_header_footer_capabilities",
  category: "diagnostics",
  effect: "none",
  summary: "Read how many header and footer lines fit",
  payload: EmptyPayload,
} satisfies CommandDefinition;
