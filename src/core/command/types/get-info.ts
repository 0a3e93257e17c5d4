/** `get_info`: read the device's identification. */

import { Type } from "@sinclair/typebox";
import { orNull } from "../../schema-parts.ts";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { FilledText, type ReadonlyStatic } from "../result-fields.ts";

const GetInfoResult = Type.Object({
  info: Type.Object({
    serialNumber: orNull(FilledText),
    firmwareVersion: orNull(FilledText),
    fiscalMemorySerialNumber: orNull(FilledText),
    manufacturer: orNull(FilledText),
    model: orNull(FilledText),
    charsPerLine: Type.Optional(
      Type.Integer({ minimum: 1, description: "Of its paper, where that is known" }),
    ),
  }),
});
export type GetInfoResult = ReadonlyStatic<typeof GetInfoResult>;

export const getInfo = {
  category: "diagnostics",
  effect: "none",
  summary: "Read the device's identification",
  payload: EmptyPayload,
  result: GetInfoResult,
} satisfies CommandDefinition;
