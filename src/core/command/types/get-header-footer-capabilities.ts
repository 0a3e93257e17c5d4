/** `get_header_footer_capabilities`: read how many header and footer lines fit. */

import { Type } from "@sinclair/typebox";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { Count } from "../result-fields.ts";

const GetHeaderFooterCapabilitiesResult = Type.Object({
  maxHeaderLines: Count,
  maxFooterLines: Count,
  maxCharsPerLine: Count,
});

export const getHeaderFooterCapabilities = {
  category: "diagnostics",
  effect: "none",
  summary: "Read how many header and footer lines fit",
  payload: EmptyPayload,
  result: GetHeaderFooterCapabilitiesResult,
} satisfies CommandDefinition;
