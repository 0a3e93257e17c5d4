/** `print_receipt`: a fiscal sale receipt. */

import { type Static, Type } from "@sinclair/typebox";
import type { ValidationIssue } from "../../errors.ts";
import type { SaleDocument } from "../../receipt.ts";
import { isBalanced } from "../../receipt-total.ts";
import { amountIssues, checkedMinor } from "../amount.ts";
import type { CommandDefinition } from "../definition.ts";
import {
  ItemsSchema,
  itemIssues,
  MethodSchema,
  OperatorFields,
  PaymentsSchemaOptions,
  toReceiptItems,
  UNIQUE_SALE_NUMBER_PATTERN,
} from "../document-fields.ts";
import { ReceiptResult } from "../receipt-result.ts";

const PrintReceiptPayload = Type.Object({
  items: ItemsSchema,
  subtotalModifiers: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.Union([Type.Literal("discount-amount"), Type.Literal("surcharge-amount")]),
        value: Type.Number({ exclusiveMinimum: 0 }),
      }),
      { maxItems: 20 },
    ),
  ),
  customerCif: Type.Optional(Type.String({ maxLength: 32 })),
  payments: Type.Array(
    Type.Object({ method: MethodSchema, amount: Type.Number({ exclusiveMinimum: 0 }) }),
    PaymentsSchemaOptions,
  ),
  uniqueSaleNumber: Type.Optional(Type.String({ pattern: UNIQUE_SALE_NUMBER_PATTERN })),
  ...OperatorFields,
});
export type PrintReceiptPayload = Static<typeof PrintReceiptPayload>;

/** The sale as integers. The payload was checked before. */
export function toSaleDocument(payload: PrintReceiptPayload): SaleDocument {
  return {
    kind: "sale",
    items: toReceiptItems(payload.items),
    modifiers: (payload.subtotalModifiers ?? []).map((modifier) => ({
      kind: modifier.type === "discount-amount" ? "discount" : "surcharge",
      amountMinor: checkedMinor(modifier.value),
    })),
    payments: payload.payments.map((payment) => ({
      method: payment.method,
      amountMinor: checkedMinor(payment.amount),
    })),
    customerCif: payload.customerCif,
    uniqueSaleNumber: payload.uniqueSaleNumber,
    operatorId: payload.operatorId,
    operatorPassword: payload.operatorPassword,
  };
}

function check(payload: PrintReceiptPayload): readonly ValidationIssue[] {
  const issues = [
    ...itemIssues(payload.items),
    ...(payload.subtotalModifiers ?? []).flatMap((modifier, index) =>
      amountIssues(`subtotalModifiers.${index}.value`, modifier.value, 1),
    ),
    ...payload.payments.flatMap((payment, index) =>
      amountIssues(`payments.${index}.amount`, payment.amount, 1),
    ),
  ];
  if (issues.length > 0) return issues;
  const sale = toSaleDocument(payload);
  if (isBalanced(sale.items, sale.modifiers, sale.payments)) return [];
  return [{ path: "payments", message: "The payments do not add up to the items and adjustments" }];
}

export const printReceipt = {
  category: "receipts",
  effect: "document",
  summary: "Print a fiscal sale receipt",
  payload: PrintReceiptPayload,
  result: ReceiptResult,
  check,
} satisfies CommandDefinition;
