/** What the receipt routes take and answer. */

import { type Static, Type } from "@sinclair/typebox";
import { InstantSchema } from "#core/command/instant.ts";
import { printReceipt } from "#core/command/types/print-receipt.ts";
import {
  ReasonSchema,
  ReversalPaymentsSchema,
} from "#core/command/types/print-reversal-receipt.ts";
import { PAYMENT_METHODS } from "#core/receipt.ts";
import { RECEIPT_TYPES } from "#core/receipt-record.ts";
import { DateTime, oneOf, TextOrNull } from "#core/schema-parts.ts";
import { named } from "../../http/named-schema.ts";
import { pageOf } from "../../http/paging.ts";
import { Simulated } from "../../http/simulated.ts";

/** What a device or another system calls something. */
const Name = Type.String({ minLength: 1, maxLength: 64 });
const ReceiptTypeSchema = oneOf(RECEIPT_TYPES);

const { items, subtotalModifiers, customerCif, payments } = printReceipt.payload.properties;

export const CreateReceiptBody = Type.Object(
  {
    deviceId: Type.String({ minLength: 1 }),
    type: ReceiptTypeSchema,
    fiscalId: Type.String({
      ...{ minLength: 1, maxLength: 64 },
      description: "The number that the device gave the document; each number once",
    }),
    items,
    subtotalModifiers,
    payments,
    originalReceiptId: Type.Optional(
      Type.String({
        minLength: 1,
        description: "The sale that a refund or a storno is of: these two need it",
      }),
    ),
    issuedAt: Type.Optional({
      ...InstantSchema,
      description:
        "ISO 8601 with an offset, of 1970 or later, at most a day ahead; now unless given",
    }),
    receiptNumber: Type.Optional(Name),
    uniqueSaleNumber: Type.Optional(Name),
    fiscalMemorySerialNumber: Type.Optional(Name),
    zReportNumber: Type.Optional(Name),
    customerCif,
  },
  {
    examples: [
      {
        deviceId: "dev_01M7XBC7BKJTTK1BYJEVYS1RPR",
        type: "sale",
        fiscalId: "1207",
        issuedAt: "2026-01-14T12:00:00+02:00",
        uniqueSaleNumber: "DT000600-0001-0000001",
        fiscalMemorySerialNumber: "02000600",
        items: [
          { name: "Coffee", quantity: 2, price: 1.5, vatGroup: "VAT2" },
          { name: "Oranges", quantity: 1.254, price: 8.99, vatGroup: "VAT2" },
        ],
        payments: [
          { method: "card", amount: 10 },
          { method: "cash", amount: 4.27 },
        ],
      },
    ],
  },
);
export type CreateReceiptBody = Static<typeof CreateReceiptBody>;

export const StornoBody = Type.Object(
  {
    reason: ReasonSchema,
    items: Type.Optional(items),
    payments: Type.Optional(ReversalPaymentsSchema),
  },
  { examples: [{ reason: "operator-error" }] },
);
export type StornoBody = Static<typeof StornoBody>;

const ReceiptFields = Type.Object({
  id: Type.String(),
  orgId: Type.String(),
  deviceId: Type.String(),
  locationId: TextOrNull,
  commandId: TextOrNull,
  apiKeyId: TextOrNull,
  type: ReceiptTypeSchema,
  fiscalId: TextOrNull,
  receiptNumber: TextOrNull,
  uniqueSaleNumber: TextOrNull,
  fiscalMemorySerialNumber: TextOrNull,
  zReportNumber: TextOrNull,
  issuedAt: DateTime,
  currency: Type.String(),
  items: Type.Array(
    Type.Object({
      name: Type.String(),
      quantity: Type.Number(),
      price: Type.Number(),
      vatGroup: Type.String(),
      department: Type.Optional(Type.Integer()),
      unit: Type.Optional(Type.String()),
    }),
  ),
  subtotalModifiers: Type.Array(
    Type.Object({
      type: Type.Union([Type.Literal("discount-amount"), Type.Literal("surcharge-amount")]),
      value: Type.Number(),
    }),
  ),
  payments: Type.Array(
    Type.Object({
      method: oneOf(PAYMENT_METHODS),
      amount: Type.Number(),
    }),
  ),
  total: Type.Number(),
  customerCif: TextOrNull,
  originalReceiptId: TextOrNull,
  source: Type.Union([Type.Literal("command"), Type.Literal("api")]),
  createdAt: DateTime,
  simulated: Simulated,
});
export const ReceiptRecordSchema = named("Receipt", ReceiptFields);

export const ReceiptAnswer = Type.Object({ receipt: ReceiptRecordSchema });
export const ReceiptList = pageOf("receipts", ReceiptRecordSchema);
