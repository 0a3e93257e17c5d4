/** `print_receipt`: a fiscal sale receipt. */

import { type Static, Type } from "@sinclair/typebox";
import type { ValidationIssue } from "../../errors.ts";
import { spreadOverLines } from "../../line-worth.ts";
import { PAYMENT_METHODS, type SaleDocument } from "../../receipt.ts";
import { balanceFault } from "../../receipt-total.ts";
import { AmountSchema, amountIssues, checkedMinor } from "../amount.ts";
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
import { unknownWordIssues } from "../unknown-words.ts";

const Modifier = Type.Object({
  type: Type.Union([Type.Literal("discount-amount"), Type.Literal("surcharge-amount")]),
  value: AmountSchema,
});
const SalePayment = Type.Object({
  method: MethodSchema,
  amount: AmountSchema,
});

const PrintReceiptPayload = Type.Object({
  items: ItemsSchema,
  subtotalModifiers: Type.Optional(
    Type.Array(Modifier, {
      maxItems: 20,
      description:
        "In order, each on what the items and those before it come to, which is not 0: a discount is no " +
        "more than that, and with a surcharge it is 99999999.99 at most",
    }),
  ),
  customerCif: Type.Optional(Type.String({ maxLength: 32 })),
  payments: Type.Array(SalePayment, PaymentsSchemaOptions),
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

/** A reversal may call the tender `type`: what names another one here is no word to be ignored. */
function otherTenderIssues(path: string, payment: object): ValidationIssue[] {
  const { method, type } = payment as { readonly method: string; readonly type?: unknown };
  const isOther = PAYMENT_METHODS.some((one) => one === type) && type !== method;
  return isOther ? [{ path, message: "Expected the same tender as method" }] : [];
}

function check(payload: PrintReceiptPayload): readonly ValidationIssue[] {
  const issues = [
    ...itemIssues(payload.items),
    ...(payload.subtotalModifiers ?? []).flatMap((modifier, index) => [
      ...unknownWordIssues(`subtotalModifiers.${index}`, modifier, Modifier),
      ...amountIssues(`subtotalModifiers.${index}.value`, modifier.value),
    ]),
    ...payload.payments.flatMap((payment, index) => [
      ...unknownWordIssues(`payments.${index}`, payment, SalePayment),
      ...otherTenderIssues(`payments.${index}.type`, payment),
      ...amountIssues(`payments.${index}.amount`, payment.amount),
    ]),
  ];
  if (issues.length > 0) return issues;
  const sale = toSaleDocument(payload);
  const { fault } = spreadOverLines(sale.items, sale.modifiers);
  if (fault) return [{ path: `subtotalModifiers.${fault.at}.value`, message: fault.message }];
  const message = balanceFault(sale.items, sale.modifiers, sale.payments);
  return message === undefined ? [] : [{ path: "payments", message }];
}

export const printReceipt = {
  category: "receipts",
  effect: "document",
  summary: "Print a fiscal sale receipt",
  payload: PrintReceiptPayload,
  result: ReceiptResult,
  check,
} satisfies CommandDefinition;
