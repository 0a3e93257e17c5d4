/** `set_operator`: adds or replaces a fiscal operator. */

import { type Static, Type } from "@sinclair/typebox";
import { OPERATOR_NAME_MAX, OPERATOR_PASSWORD_MAX } from "../../limits.ts";
import type { CommandDefinition } from "../definition.ts";
import { Count } from "../result-fields.ts";

const SetOperatorPayload = Type.Object({
  operatorId: Type.Integer({ minimum: 1, maximum: 999 }),
  name: Type.String({ minLength: 1, maxLength: OPERATOR_NAME_MAX }),
  password: Type.Optional(Type.String({ maxLength: OPERATOR_PASSWORD_MAX })),
  oldPassword: Type.Optional(Type.String({ maxLength: OPERATOR_PASSWORD_MAX })),
});
export type SetOperatorPayload = Static<typeof SetOperatorPayload>;

const SetOperatorResult = Type.Object({ operatorId: Count });

export const setOperator = {
  category: "configuration",
  effect: "device",
  summary: "Add or replace a fiscal operator",
  payload: SetOperatorPayload,
  result: SetOperatorResult,
  leftOut: ({ payload }) => ({ operatorId: (payload as SetOperatorPayload).operatorId }),
} satisfies CommandDefinition;
