/** `print_reversal_receipt`: a storno of an earlier sale. */

import { type Static, Type } from "@sinclair/typebox";
import type { ValidationIssue } from "../../errors.ts";
import { FISCAL_ID_MAX } from "../../limits.ts";
import { type Payment, REVERSAL_REASONS, type StornoDocument } from "../../receipt.ts";
import { balanceFault, documentTotalMinor } from "../../receipt-total.ts";
import { oneOf } from "../../schema-parts.ts";
import { AmountSchema, amountIssues, checkedMinor } from "../amount.ts";
import type { CommandDefinition } from "../definition.ts";
import {
  ItemsSchema,
  itemIssues,
  MethodSchema,
  OperatorFields,
  PaymentsSchemaOptions,
  toReceiptItems,
} from "../document-fields.ts";
import { DeviceTimeSchema, deviceInstant, deviceTimeIssues } from "../instant.ts";
import { ReceiptResult } from "../receipt-result.ts";
import { unknownWordIssues } from "../unknown-words.ts";

/** In whatever form the original has it; what a device takes of it, its driver knows. */
const UNIQUE_SALE_NUMBER_MAX = 255;

const ReversalPayment = Type.Object({
  method: Type.Optional(MethodSchema),
  type: Type.Optional(MethodSchema),
  amount: AmountSchema,
});

/** How a reversal is paid back; the tender may be called `method` or `type`. */
export const ReversalPaymentsSchema = Type.Array(ReversalPayment, PaymentsSchemaOptions);

export const ReasonSchema = oneOf(REVERSAL_REASONS);

const PrintReversalReceiptPayload = Type.Object({
  /** As it stands on the sale, which another system may have made: devices judge its form. */
  uniqueSaleNumber: Type.String({
    maxLength: UNIQUE_SALE_NUMBER_MAX,
    description: "As it stands on the sale; empty where the sale has none",
  }),
  originalReceiptNumber: Type.String({ minLength: 1, maxLength: FISCAL_ID_MAX }),
  originalReceiptDateTime: DeviceTimeSchema,
  fiscalMemorySerialNumber: Type.String({ minLength: 1, maxLength: 64 }),
  originalZReportNumber: Type.Optional(Type.String({ maxLength: 64 })),
  reason: ReasonSchema,
  items: ItemsSchema,
  payments: Type.Optional(
    Type.Array(ReversalPayment, {
      ...PaymentsSchemaOptions,
      description: "What is paid back; left out, all of it in cash",
    }),
  ),
  ...OperatorFields,
});
export type PrintReversalReceiptPayload = Static<typeof PrintReversalReceiptPayload>;

type StornoLines = Pick<StornoDocument, "items" | "payments">;

/** What is reversed, as integers; without payments the whole amount is cash. Checked before. */
function toStornoLines(payload: PrintReversalReceiptPayload): StornoLines {
  const items = toReceiptItems(payload.items);
  const payments = payload.payments?.map(toReversalPayment) ?? [
    { method: "cash" as const, amountMinor: documentTotalMinor(items) },
  ];
  return { items, payments };
}

/**
 * The storno as integers. Checked before.
 * @param timezone IANA name of the zone of the device's clock
 */
export function toStornoDocument(
  payload: PrintReversalReceiptPayload,
  timezone: string,
): StornoDocument {
  return {
    kind: "storno",
    reason: payload.reason,
    ...toStornoLines(payload),
    // An empty one is that of a sale without a number; an empty Z report is none either.
    uniqueSaleNumber: payload.uniqueSaleNumber || undefined,
    operatorId: payload.operatorId,
    operatorPassword: payload.operatorPassword,
    original: {
      receiptNumber: payload.originalReceiptNumber,
      issuedAt: deviceInstant(payload.originalReceiptDateTime, timezone),
      fiscalMemorySerialNumber: payload.fiscalMemorySerialNumber,
      zReportNumber: payload.originalZReportNumber?.trim() || undefined,
    },
  };
}

/** A payment as an integer. Checked before. */
export function toReversalPayment(payment: Static<typeof ReversalPayment>): Payment {
  const method = payment.method ?? payment.type;
  if (method === undefined) throw new RangeError("tender was not checked");
  return { method, amountMinor: checkedMinor(payment.amount) };
}

/** Faults of what is reversed and paid back, as far as each is given. */
export function reversalIssues(
  parts: Partial<Pick<PrintReversalReceiptPayload, "items" | "payments">>,
): readonly ValidationIssue[] {
  return [
    ...itemIssues(parts.items ?? []),
    ...(parts.payments ?? []).flatMap((payment, index) => [
      ...unknownWordIssues(`payments.${index}`, payment, ReversalPayment),
      ...tenderIssues(`payments.${index}`, payment.method, payment.type),
      ...amountIssues(`payments.${index}.amount`, payment.amount),
    ]),
  ];
}

function check(payload: PrintReversalReceiptPayload): readonly ValidationIssue[] {
  const issues = [
    ...deviceTimeIssues("originalReceiptDateTime", payload.originalReceiptDateTime),
    ...reversalIssues(payload),
  ];
  if (issues.length > 0) return issues;
  const { items, payments } = toStornoLines(payload);
  const message = balanceFault(items, [], payments);
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
