/** `get_info`: read the device's identification. */

import { type TSchema, Type } from "@sinclair/typebox";
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

/** By what a device is known. @param text as long as whoever tells it may make it */
export function identityFields<Text extends TSchema>(text: Text) {
  return {
    serialNumber: orNull(text),
    firmwareVersion: orNull(text),
    fiscalMemorySerialNumber: orNull(text),
    manufacturer: orNull(text),
    model: orNull(text),
  };
}

const GetInfoResult = Type.Object({
  info: Type.Object({
    ...identityFields(FilledText),
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
