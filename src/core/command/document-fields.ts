/** Payload parts shared by the commands that print a fiscal document. */

import { type Static, Type } from "@sinclair/typebox";
import type { ValidationIssue } from "../errors.ts";
import {
  AMOUNT_MINOR_MAX,
  ITEM_NAME_MAX,
  OPERATOR_PASSWORD_MAX,
  RECEIPT_ITEMS_MAX,
  RECEIPT_PAYMENTS_MAX,
} from "../limits.ts";
import { formatMinor } from "../money.ts";
import { patternOf } from "../patterns.ts";
import { PAYMENT_METHODS, type ReceiptItem } from "../receipt.ts";
import { documentTotalMinor } from "../receipt-total.ts";
import { oneOf } from "../schema-parts.ts";
import { isVatGroup, VAT_GROUP_PATTERN } from "../vat.ts";
import {
  amountIssues,
  checkedMilli,
  checkedMinor,
  PriceSchema,
  QuantitySchema,
  quantityIssues,
} from "./amount.ts";
import { unknownWordIssues } from "./unknown-words.ts";

/** Two letters and six digits of the device, four of the operator, seven of the sale. */
export const UNIQUE_SALE_NUMBER_PATTERN = patternOf(
  "^[A-Z]{2}[0-9]{6}-[A-Za-z0-9]{4}-[0-9]{7}$",
  "a unique sale number: 2 capital letters and 6 digits, 4 letters or digits, 7 digits, as in DT000600-0001-0000001",
);

const ItemSchema = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: ITEM_NAME_MAX,
    description:
      "Printed as far as the device has room, 34 to 84 characters on the models that are known: " +
      "the rest is cut, and stored all the same",
  }),
  quantity: QuantitySchema,
  price: PriceSchema,
  vatGroup: Type.String({ pattern: VAT_GROUP_PATTERN, description: "VAT1..VAT16 or exempt" }),
  department: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
  unit: Type.Optional(Type.String({ maxLength: 16 })),
});
export const ItemsSchema = Type.Array(ItemSchema, {
  ...{ minItems: 1, maxItems: RECEIPT_ITEMS_MAX },
  description:
    "Each comes to quantity x price, rounded to the cent, and all of them to 99999999.99 at most. In " +
    "items, subtotalModifiers and payments a property that is nearly a known one or means the same, " +
    "or that names a discount, tax, rate or sum, is refused; others are ignored",
});

export const MethodSchema = oneOf(PAYMENT_METHODS);
export const PaymentsSchemaOptions = {
  ...{ minItems: 1, maxItems: RECEIPT_PAYMENTS_MAX },
  description: "They come to what the items and subtotalModifiers do, within 0.01",
};

/** Who operates the device, for devices that want to know. */
export const OperatorFields = {
  operatorId: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
  operatorPassword: Type.Optional(Type.String({ maxLength: OPERATOR_PASSWORD_MAX })),
};

/** Faults of the words and numbers of a list of items, and of what they come to. */
export function itemIssues(items: Static<typeof ItemsSchema>): ValidationIssue[] {
  const issues = items.flatMap((item, index) => [
    ...unknownWordIssues(`items.${index}`, item, ItemSchema),
    ...quantityIssues(`items.${index}.quantity`, item.quantity),
    ...amountIssues(`items.${index}.price`, item.price),
  ]);
  return issues.length > 0 ? issues : sumIssues(items);
}

/** Reports add documents up: one that is beyond any amount would spoil every sum it is in. */
function sumIssues(items: Static<typeof ItemsSchema>): ValidationIssue[] {
  const totalMinor = documentTotalMinor(toReceiptItems(items));
  if (totalMinor <= AMOUNT_MINOR_MAX) return [];
  const most = formatMinor(AMOUNT_MINOR_MAX);
  const message = `Expected items that come to ${most} at most, not to ${formatMinor(totalMinor)}`;
  return [{ path: "items", message }];
}

/** Items as integers. The items were checked before. */
export function toReceiptItems(items: Static<typeof ItemsSchema>): ReceiptItem[] {
  return items.map((item) => {
    if (!isVatGroup(item.vatGroup)) throw new RangeError("VAT group was not checked");
    return {
      name: item.name,
      quantityMilli: checkedMilli(item.quantity),
      priceMinor: checkedMinor(item.price),
      vatGroup: item.vatGroup,
      department: item.department,
      unit: item.unit,
    };
  });
}
