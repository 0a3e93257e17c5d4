/** `print_reversal_receipt`: a storno of an earlier sale. */

import { type Static, Type } from "@sinclair/typebox";
import type { ValidationIssue } from "../../errors.ts";
import { type Payment, REVERSAL_REASONS, type StornoDocument } from "../../receipt.ts";
import { balanceFault, documentTotalMinor } from "../../receipt-total.ts";
import { amountIssues, checkedMinor } from "../amount.ts";
import type { CommandDefinition } from "../definition.ts";
import {
  ItemsSchema,
  itemIssues,
  MethodSchema,
  OperatorFields,
  PaymentsSchemaOptions,
  toReceiptItems,
} from "../document-fields.ts";
import { deviceTimeIssues } from "../instant.ts";
import { ReceiptResult } from "../receipt-result.ts";
import { unknownWordIssues } from "../unknown-words.ts";

/** In whatever form the original has it; what a device takes of it, its driver knows. */
const UNIQUE_SALE_NUMBER_MAX = 255;

const ReversalPayment = Type.Object({
  method: Type.Optional(MethodSchema),
  type: Type.Optional(MethodSchema),
  amount: Type.Number({ exclusiveMinimum: 0 }),
});

const PrintReversalReceiptPayload = Type.Object({
  uniqueSaleNumber: Type.String({ maxLength: UNIQUE_SALE_NUMBER_MAX }),
  originalReceiptNumber: Type.String({ minLength: 1, maxLength: 64 }),
  originalReceiptDateTime: Type.String({ description: "ISO 8601" }),
  fiscalMemorySerialNumber: Type.String({ minLength: 1, maxLength: 64 }),
  originalZReportNumber: Type.Optional(Type.String({ maxLength: 64 })),
  reason: Type.Union(REVERSAL_REASONS.map((reason) => Type.Literal(reason))),
  items: ItemsSchema,
  payments: Type.Optional(Type.Array(ReversalPayment, PaymentsSchemaOptions)),
  ...OperatorFields,
});
export type PrintReversalReceiptPayload = Static<typeof PrintReversalReceiptPayload>;

/** The storno as integers; without payments the whole amount is cash. Checked before. */
export function toStornoDocument(payload: PrintReversalReceiptPayload): StornoDocument {
  const items = toReceiptItems(payload.items);
  const payments: Payment[] = payload.payments?.map((payment) => {
    const method = payment.method ?? payment.type;
    if (method === undefined) throw new RangeError("tender was not checked");
    return { method, amountMinor: checkedMinor(payment.amount) };
  }) ?? [{ method: "cash", amountMinor: documentTotalMinor(items) }];
  return {
    kind: "storno",
    reason: payload.reason,
    items,
    payments,
    uniqueSaleNumber: payload.uniqueSaleNumber,
    operatorId: payload.operatorId,
    operatorPassword: payload.operatorPassword,
    original: {
      receiptNumber: payload.originalReceiptNumber,
      issuedAt: Date.parse(payload.originalReceiptDateTime),
      fiscalMemorySerialNumber: payload.fiscalMemorySerialNumber,
      zReportNumber: payload.originalZReportNumber,
    },
  };
}

function check(payload: PrintReversalReceiptPayload): readonly ValidationIssue[] {
  const issues = [
    ...deviceTimeIssues("originalReceiptDateTime", payload.originalReceiptDateTime),
    ...itemIssues(payload.items),
    ...(payload.payments ?? []).flatMap((payment, index) => [
      ...unknownWordIssues(`payments.${index}`, payment, ReversalPayment),
      ...tenderIssues(`payments.${index}`, payment.method, payment.type),
      ...amountIssues(`payments.${index}.amount`, payment.amount, 1),
    ]),
  ];
  if (issues.length > 0) return issues;
  const storno = toStornoDocument(payload);
  const message = balanceFault(storno.items, [], storno.payments);
  return message === undefined ? [] : [{ path: "payments", message }];
}

function tenderIssues(path: string, method?: string, type?: string): ValidationIssue[] {
  if (method === undefined && type === undefined) {
    return [{ path: `${path}.method`, message: "Expected required property" }];
  }
  if (method !== undefined && type !== undefined && method !== type) {
    return [{ path: `${path}.type`, message: "Expected the same tender as method" }];
  }
  return [];
}

export const printReversalReceipt = {
  category: "receipts",
  effect: "document",
  summary: "Print a fiscal reversal (storno) of a sale",
  payload: PrintReversalReceiptPayload,
  result: ReceiptResult,
  check,
} satisfies CommandDefinition;
