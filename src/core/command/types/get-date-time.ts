/** `get_date_time`: read the device clock. */

import { Type } from "@sinclair/typebox";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { Instant } from "../result-fields.ts";

const GetDateTimeResult = Type.Object({ dateTime: Instant });

export const getDateTime = {
  category: "diagnostics",
  effect: "none",
  summary: "Read the device clock",
  payload: EmptyPayload,
  result: GetDateTimeResult,
} satisfies CommandDefinition;
