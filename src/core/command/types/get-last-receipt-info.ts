/** `get_last_receipt_info`: read what the device knows of its last receipt. */

import { Type } from "@sinclair/typebox";
import { orNull } from "../../schema-parts.ts";
import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { Amount, Count, FilledText, Instant, LastDocumentNumber } from "../result-fields.ts";

const GetLastReceiptInfoResult = Type.Object({
  lastReceipt: Type.Object({
    receiptNumber: orNull(FilledText),
    receiptDateTime: orNull(Instant),
    receiptAmount: orNull(Amount),
    fiscalMemorySerialNumber: orNull(FilledText),
  }),
  // One of its own: null says here that there is none, and elsewhere that it was not told.
  lastDocumentNumber: { ...LastDocumentNumber },
  lastZReportNumber: Type.Optional(orNull(Count)),
});

export const getLastReceiptInfo = {
  category: "diagnostics",
  effect: "none",
  summary: "Read what the device knows of its last receipt",
  payload: EmptyPayload,
  result: GetLastReceiptInfoResult,
} satisfies CommandDefinition;
