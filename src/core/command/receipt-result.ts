/** What the commands that print a fiscal document answer. */

import { Type } from "@sinclair/typebox";
import { orNull } from "../schema-parts.ts";
import { Amount, FilledText, Instant, type ReadonlyStatic } from "./result-fields.ts";

export const ReceiptResult = Type.Object({
  receiptNumber: orNull(
    Type.String({ minLength: 1, description: "The number that is printed on the document" }),
  ),
  fiscalMemorySerialNumber: orNull(FilledText),
  zReportNumber: orNull(
    Type.String({ minLength: 1, description: "The Z report that will close the document's day" }),
  ),
  issuedAt: orNull(Instant),
  totalAmount: Amount,
  change: Amount,
});
export type ReceiptResult = ReadonlyStatic<typeof ReceiptResult>;
