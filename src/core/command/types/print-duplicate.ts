/** `print_duplicate`: reprint the last receipt as a non-fiscal duplicate. */

import { type Static, Type } from "@sinclair/typebox";
import { FISCAL_ID_MAX } from "../../limits.ts";
import type { CommandDefinition } from "../definition.ts";
import { PaperResult } from "../result-fields.ts";

const PrintDuplicatePayload = Type.Object({
  receiptId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: FISCAL_ID_MAX,
      description:
        "The receipt that is meant, by its id or fiscal id: E400, and nothing is printed, where " +
        "another one is the last when the command's turn comes",
    }),
  ),
});
export type PrintDuplicatePayload = Static<typeof PrintDuplicatePayload>;

export const printDuplicate = {
  category: "receipts",
  effect: "device",
  waitsForPerson: true,
  summary: "Reprint the last receipt as a non-fiscal duplicate",
  payload: PrintDuplicatePayload,
  result: PaperResult,
} satisfies CommandDefinition;
