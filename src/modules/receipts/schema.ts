/** What the receipt routes take and answer. */

import { type Static, Type } from "@sinclair/typebox";
import { AMOUNT_MAX, QuantitySchema } from "#core/command/amount.ts";
import { InstantSchema } from "#core/command/instant.ts";
import { ReversalTenders } from "#core/command/types/get-info.ts";
import { printReceipt } from "#core/command/types/print-receipt.ts";
import {
  ReasonSchema,
  ReversalPaymentsSchema,
} from "#core/command/types/print-reversal-receipt.ts";
import { FISCAL_ID_MAX, RECEIPT_ITEMS_MAX } from "#core/limits.ts";
import { PAYMENT_METHODS } from "#core/receipt.ts";
import { RECEIPT_TYPES } from "#core/receipt-record.ts";
import { DateTime, oneOf, orNull, TextOrNull } from "#core/schema-parts.ts";
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
      ...{ minLength: 1, maxLength: FISCAL_ID_MAX },
      description:
        "The number that the device gave the document; each number once, with or without zeros before it",
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
    lines: Type.Optional(
      Type.Array(
        Type.Object({
          line: Type.Integer({
            ...{ minimum: 0, maximum: RECEIPT_ITEMS_MAX - 1 },
            description: "Which line of the sale, from 0, each once",
          }),
          quantity: QuantitySchema,
        }),
        {
          ...{ minItems: 1, maxItems: RECEIPT_ITEMS_MAX },
          description:
            "Instead of items: how much goes back of which line of the sale. The gateway works out " +
            "what that comes to: a part its share of the amount that is left of its line, rounded " +
            "half up to the cent, the rest of a line all of it",
        },
      ),
    ),
    payments: Type.Optional(ReversalPaymentsSchema),
    expectedAmount: Type.Optional(
      Type.Number({
        ...{ minimum: 0, maximum: AMOUNT_MAX },
        description:
          "What the storno has to come to, in currency units with at most 2 decimals, as somebody was " +
          "told before he asked for it. Where it would come to anything else, because a part of the " +
          "sale went back meanwhile, it is 422 and nothing is queued",
      }),
    ),
  },
  {
    examples: [
      { reason: "operator-error" },
      { reason: "operator-error", expectedAmount: 14.27 },
      { reason: "refund", lines: [{ line: 1, quantity: 0.5 }] },
    ],
  },
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
  issuedAt: Type.Unsafe<string>({
    ...DateTime,
    description: "By the clock of whatever printed it",
  }),
  bookedAt: Type.Unsafe<string>({
    ...DateTime,
    description:
      "Where sums and reports count it: for what the gateway printed when it was stored, by the " +
      "gateway's clock, else issuedAt",
  }),
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

const ReversibleSchema = named(
  "Reversible",
  Type.Object({
    amount: Type.Number({ description: "What the lines have left" }),
    lines: Type.Array(
      Type.Object({
        line: Type.Integer({ description: "Which line of the sale, from 0" }),
        name: Type.String(),
        vatGroup: Type.String(),
        quantity: Type.Number({ description: "What is left to reverse" }),
        amount: Type.Number({
          description:
            "What that comes to, with its part of what was taken off or added to the whole",
        }),
      }),
      { description: "All lines of the sale in their order; none of what is no sale" },
    ),
    payments: Type.Array(Type.Object({ method: oneOf(PAYMENT_METHODS), amount: Type.Number() }), {
      description: "What was paid in each tender and has not gone back in the same one",
    }),
    tenders: orNull({
      ...ReversalTenders,
      description:
        "In which the printer of the sale pays reversals back; none where it prints no reversals, " +
        "null until it told",
    }),
  }),
);
export type ReversibleRecord = Static<typeof ReversibleSchema>;
export const ReversibleAnswer = Type.Object({ reversible: ReversibleSchema });

export const ReceiptAnswer = Type.Object({ receipt: ReceiptRecordSchema });
export const FoundReceiptAnswer = Type.Object({
  receipt: ReceiptRecordSchema,
  repeatable: Type.Boolean({
    description:
      "True where no other receipt is known to have come behind it: print_duplicate repeats no other",
  }),
});
export const ReceiptList = pageOf("receipts", ReceiptRecordSchema);
