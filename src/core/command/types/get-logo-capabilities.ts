/** `get_logo_capabilities`: read how large a logo may be. */

import { Type } from "@sinclair/typebox";
import { orNull } from "../../schema-parts.ts";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { Count } from "../result-fields.ts";

const GetLogoCapabilitiesResult = Type.Object({
  maxWidth: orNull(Count),
  maxHeight: orNull(Count),
  maxBytes: orNull(Count),
});

export const getLogoCapabilities = {
  category: "diagnostics",
  effect: "none",
  summary:
    "Read how large the black-and-white BMP of a logo may be: dots across and down, bytes of the " +
    "file; null where there is no such limit",
  payload: EmptyPayload,
  result: GetLogoCapabilitiesResult,
} satisfies CommandDefinition;
