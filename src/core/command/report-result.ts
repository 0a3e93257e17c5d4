/** What X and Z reports answer; the gateway stores it as a report. */

import { Type } from "@sinclair/typebox";
import { PAYMENT_METHODS } from "../receipt.ts";
import { oneOf, orNull } from "../schema-parts.ts";
import { VAT_GROUP_PATTERN } from "../vat.ts";
import {
  Amount,
  Count,
  FilledText,
  Instant,
  LastDocumentNumber,
  Percent,
  type ReadonlyStatic,
} from "./result-fields.ts";

export const REPORT_TYPES = ["x_report", "z_report"] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

/** Null where the protocol does not tell. */
export const ReportResult = Type.Object({
  reportNumber: orNull(Count),
  type: oneOf(REPORT_TYPES),
  receiptCount: orNull(Count),
  reversalCount: orNull(Count),
  totals: Type.Object({
    gross: orNull(Amount),
    reversals: orNull(Amount),
    cashIn: orNull(Amount),
    cashOut: orNull(Amount),
    cashBalance: orNull(Amount),
  }),
  vat: orNull(
    Type.Array(
      Type.Object({
        group: Type.String({ pattern: VAT_GROUP_PATTERN }),
        rate: orNull(Percent),
        turnover: Amount,
        tax: orNull(Amount),
      }),
    ),
  ),
  payments: orNull(Type.Array(Type.Object({ method: oneOf(PAYMENT_METHODS), amount: Amount }))),
  openedAt: orNull(Instant),
  closedAt: orNull(Instant),
  fiscalMemorySerialNumber: orNull(FilledText),
  lastDocumentNumber: LastDocumentNumber,
});
export type ReportResult = ReadonlyStatic<typeof ReportResult>;
