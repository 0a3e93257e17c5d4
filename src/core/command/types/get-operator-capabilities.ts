/** `get_operator_capabilities`: read what the device allows for operators. */

import { Type } from "@sinclair/typebox";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { Count } from "../result-fields.ts";

const GetOperatorCapabilitiesResult = Type.Object({
  maxOperators: Count,
  maxNameLength: Count,
  maxPasswordLength: Count,
  supportsPassword: Type.Boolean(),
  passwordChangeRequiresOldPassword: Type.Boolean(),
  canGetOperators: Type.Boolean(),
});

export const getOperatorCapabilities = {
  category: "diagnostics",
  effect: "none",
  summary: "Read what the device allows for operators",
  payload: EmptyPayload,
  result: GetOperatorCapabilitiesResult,
} satisfies CommandDefinition;
