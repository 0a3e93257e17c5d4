/** `get_status`: read paper, cover, fiscal day and errors. */

import { Type } from "@sinclair/typebox";
import { oneOf, orNull } from "../../schema-parts.ts";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { FilledText, HexBytes, type ReadonlyStatic } from "../result-fields.ts";

const GetStatusResult = Type.Object({
  paper: orNull(oneOf(["ok", "low", "out"])),
  cover: orNull(oneOf(["closed", "open"])),
  fiscalReceiptOpen: orNull(Type.Boolean()),
  nonFiscalReceiptOpen: orNull(Type.Boolean()),
  fiscalDayOpen: orNull(Type.Boolean()),
  dayCloseRequired: orNull(Type.Boolean()),
  fiscalMemory: orNull(oneOf(["ok", "near_full", "full"])),
  clockSet: orNull(Type.Boolean()),
  hardwareError: orNull(Type.Boolean()),
  fiscalized: orNull(Type.Boolean()),
  errors: Type.Array(Type.Object({ code: FilledText, message: FilledText }), {
    description: "In the device's own numbers",
  }),
  /** The status bytes as the device sent them. */
  rawHex: HexBytes,
});
export type GetStatusResult = ReadonlyStatic<typeof GetStatusResult>;

export const getStatus = {
  category: "diagnostics",
  effect: "none",
  summary: "Read paper, cover, fiscal day and errors",
  payload: EmptyPayload,
  result: GetStatusResult,
} satisfies CommandDefinition;
