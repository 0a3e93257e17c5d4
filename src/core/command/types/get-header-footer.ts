/** `get_header_footer`: read the header and footer lines. */

import { Type } from "@sinclair/typebox";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

const GetHeaderFooterResult = Type.Object({
  header: Type.Array(Type.String()),
  footer: Type.Array(Type.String()),
});

export const getHeaderFooter = {
  category: "diagnostics",
  effect: "none",
  summary: "Read the header and footer lines",
  payload: EmptyPayload,
  result: GetHeaderFooterResult,
} satisfies CommandDefinition;
