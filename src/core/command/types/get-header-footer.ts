/** `get_header_footer`: read the header and footer lines. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const getHeaderFooter = {
  type: "get_header_footer",
  category: "diagnostics",
  effect: "none",
  summary: "Read the header and footer lines",
  payload: EmptyPayload,
} satisfies CommandDefinition;
