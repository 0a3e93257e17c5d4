/** `get_operators`: read all fiscal operators. */

import { Type } from "@sinclair/typebox";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { Count } from "../result-fields.ts";

/** Passwords are never told, even where the device would. */
const GetOperatorsResult = Type.Object({
  operators: Type.Array(Type.Object({ operatorId: Count, name: Type.String() })),
});

export const getOperators = {
  category: "configuration",
  effect: "none",
  summary: "Read all fiscal operators",
  payload: EmptyPayload,
  result: GetOperatorsResult,
} satisfies CommandDefinition;
