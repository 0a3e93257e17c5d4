/** `non_fiscal_receipt`: a free-form slip without fiscal meaning. */

import { type Static, Type } from "@sinclair/typebox";
import { LINE_CHARACTERS_MAX } from "../../limits.ts";
import type { CommandDefinition } from "../definition.ts";
import { PaperResult } from "../result-fields.ts";

const NonFiscalReceiptPayload = Type.Object({
  lines: Type.Array(Type.String({ maxLength: LINE_CHARACTERS_MAX }), {
    minItems: 1,
    maxItems: 1000,
  }),
  header: Type.Optional(
    Type.String({ maxLength: LINE_CHARACTERS_MAX, description: "Bold and centered at the top" }),
  ),
});
export type NonFiscalReceiptPayload = Static<typeof NonFiscalReceiptPayload>;

export const nonFiscalReceipt = {
  category: "receipts",
  effect: "device",
  waitsForPerson: true,
  summary: "Print a free-form non-fiscal slip",
  payload: NonFiscalReceiptPayload,
  result: PaperResult,
} satisfies CommandDefinition;
