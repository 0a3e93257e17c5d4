/** `get_status`: read paper, cover, fiscal day and errors. */

import { Type } from "@sinclair/typebox";
import { oneOf, orNull } from "../../schema-parts.ts";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { FilledText, HexBytes, type ReadonlyStatic } from "../result-fields.ts";

const Flag = orNull(Type.Boolean());

/** The states of a device, as it tells them and as its controller reports them: null where none is told. */
export const deviceStates = {
  paper: orNull(oneOf(["ok", "low", "out"])),
  cover: orNull(oneOf(["closed", "open"])),
  fiscalReceiptOpen: Flag,
  nonFiscalReceiptOpen: Flag,
  fiscalDayOpen: Flag,
  dayCloseRequired: Flag,
  fiscalMemory: orNull(oneOf(["ok", "near_full", "full"])),
  clockSet: Flag,
  hardwareError: Flag,
  fiscalized: Flag,
};

const GetStatusResult = Type.Object({
  ...deviceStates,
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
  leftOut: () => ({ errors: [], rawHex: "" }),
} satisfies CommandDefinition;
