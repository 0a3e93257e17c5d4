/** `void_open_receipt`: cancel the receipt open on the device. */

import { Type } from "@sinclair/typebox";
import { orNull } from "../../schema-parts.ts";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { FilledText } from "../result-fields.ts";

const VoidOpenReceiptResult = Type.Object({ receiptNumber: orNull(FilledText) });

export const voidOpenReceipt = {
  category: "receipts",
  effect: "device",
  waitsForPerson: true,
  summary: "Cancel the receipt open on the device",
  payload: EmptyPayload,
  result: VoidOpenReceiptResult,
} satisfies CommandDefinition;
