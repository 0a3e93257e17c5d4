/** `set_header_footer`: replaces the header and footer lines. */

import { type Static, Type } from "@sinclair/typebox";
import { HEADER_FOOTER_LINES_MAX, LINE_CHARACTERS_MAX } from "../../limits.ts";
import type { CommandDefinition } from "../definition.ts";
import { EmptyResult } from "../result-fields.ts";

const Lines = Type.Array(Type.String({ maxLength: LINE_CHARACTERS_MAX }), {
  maxItems: HEADER_FOOTER_LINES_MAX,
});
const SetHeaderFooterPayload = Type.Object({ header: Lines, footer: Lines });
export type SetHeaderFooterPayload = Static<typeof SetHeaderFooterPayload>;

export const setHeaderFooter = {
  category: "configuration",
  effect: "device",
  summary: "Replace the header and footer lines",
  payload: SetHeaderFooterPayload,
  result: EmptyResult,
} satisfies CommandDefinition;
