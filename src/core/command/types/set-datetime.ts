/** `set_datetime`: sets the device's clock; without a value, to the appliance's time. */

import { type Static, Type } from "@sinclair/typebox";
import { orNull } from "../../schema-parts.ts";
import type { CommandDefinition } from "../definition.ts";
import { DeviceTimeSchema, deviceTimeIssues } from "../instant.ts";
import { Instant } from "../result-fields.ts";

const SetDatetimePayload = Type.Object({
  datetime: Type.Optional(DeviceTimeSchema),
});
export type SetDatetimePayload = Static<typeof SetDatetimePayload>;

const SetDatetimeResult = Type.Object({ dateTime: orNull(Instant) });

export const setDatetime = {
  category: "configuration",
  effect: "device",
  summary: "Set the device clock",
  payload: SetDatetimePayload,
  result: SetDatetimeResult,
  check: (payload: SetDatetimePayload) =>
    payload.datetime === undefined ? [] : deviceTimeIssues("datetime", payload.datetime),
} satisfies CommandDefinition;
