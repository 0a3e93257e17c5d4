/** `void_receipt`: a storno, for operator error, of a receipt the gateway printed. */

import { type Static, Type } from "@sinclair/typebox";
import { FISCAL_ID_MAX } from "../../limits.ts";
import type { StornoDocument } from "../../receipt.ts";
import type { StoredReceipt } from "../../receipt-record.ts";
import type { CommandDefinition } from "../definition.ts";
import { ReceiptResult } from "../receipt-result.ts";
import type { ReadonlyStatic } from "../result-fields.ts";

const VoidReceiptPayload = Type.Object({
  receiptId: Type.String({
    minLength: 1,
    maxLength: FISCAL_ID_MAX,
    description:
      "A receipt of the gateway, or the fiscal id the device gave it; paid back in its own tenders",
  }),
});
export type VoidReceiptPayload = Static<typeof VoidReceiptPayload>;

/** The storno that voids a stored receipt, paid back as it was paid. */
export function toVoidingDocument(original: StoredReceipt): StornoDocument {
  return {
    kind: "storno",
    reason: "operator-error",
    items: original.items,
    payments: original.payments,
    uniqueSaleNumber: original.uniqueSaleNumber ?? undefined,
    operatorId: undefined,
    operatorPassword: undefined,
    original: {
      receiptNumber: original.receiptNumber ?? original.fiscalId ?? "",
      issuedAt: original.issuedAt,
      fiscalMemorySerialNumber: original.fiscalMemorySerialNumber ?? "",
      zReportNumber: original.zReportNumber ?? undefined,
    },
  };
}

const VoidReceiptResult = Type.Object({
  ...ReceiptResult.properties,
  voidedReceiptId: Type.String({ minLength: 1, description: "As in the payload" }),
});
export type VoidReceiptResult = ReadonlyStatic<typeof VoidReceiptResult>;

export const voidReceipt = {
  category: "receipts",
  effect: "document",
  summary: "Void an earlier receipt by id",
  payload: VoidReceiptPayload,
  result: VoidReceiptResult,
  leftOut: ({ payload }) => ({ voidedReceiptId: (payload as VoidReceiptPayload).receiptId }),
} satisfies CommandDefinition;
