/** `get_info`: read the device's identification. */

import { Type } from "@sinclair/typebox";
import { PAYMENT_METHODS } from "../../receipt.ts";
import { orNull } from "../../schema-parts.ts";
import type { CommandDefinition } from "../definition.ts";
import { MethodSchema } from "../document-fields.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { FilledText, type ReadonlyStatic } from "../result-fields.ts";

/** In which tenders a device pays reversals back. */
export const ReversalTenders = Type.Array(MethodSchema, {
  maxItems: PAYMENT_METHODS.length,
  description: "In which it pays reversals back, where that is known; none where it prints none",
});

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
    reversalTenders: Type.Optional(ReversalTenders),
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
