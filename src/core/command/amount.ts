/**
 * Decimal JSON numbers of a payload. Their schemas bound them; how many decimals they have is checked
 * beside, because `multipleOf` is decided by binary fractions, which would refuse right ones.
 */

import { Type } from "@sinclair/typebox";
import type { ValidationIssue } from "../errors.ts";
import { AMOUNT_MINOR_MAX, QUANTITY_MILLI_MAX } from "../limits.ts";
import { fromMinor, toMilli, toMinor } from "../money.ts";

/** Of any amount, in currency units. */
export const AMOUNT_MAX = fromMinor(AMOUNT_MINOR_MAX);
const QUANTITY_MAX = QUANTITY_MILLI_MAX / 1_000;

/** What is paid, in currency units. */
export const AmountSchema = Type.Number({
  exclusiveMinimum: 0,
  maximum: AMOUNT_MAX,
  description: "Currency units, at most 2 decimals",
});
/** A price may be nothing. */
export const PriceSchema = Type.Number({
  minimum: 0,
  maximum: AMOUNT_MAX,
  description: "Unit price in currency units, at most 2 decimals",
});
export const QuantitySchema = Type.Number({
  exclusiveMinimum: 0,
  maximum: QUANTITY_MAX,
  description: "At most 3 decimals",
});

/** Faults of an amount or a price that fits its schema. */
export function amountIssues(path: string, value: number): ValidationIssue[] {
  if (toMinor(value) !== undefined) return [];
  return [{ path, message: "Expected at most 2 decimals" }];
}

/** Faults of a quantity that fits its schema. */
export function quantityIssues(path: string, value: number): ValidationIssue[] {
  if (toMilli(value) !== undefined) return [];
  return [{ path, message: "Expected at most 3 decimals" }];
}

/** Minor units of an amount that was checked before. @throws RangeError when it was not */
export function checkedMinor(value: number): number {
  const minor = toMinor(value);
  if (minor === undefined) throw new RangeError("amount was not checked");
  return minor;
}

/** Thousandths of a quantity that was checked before. @throws RangeError when it was not */
export function checkedMilli(value: number): number {
  const milli = toMilli(value);
  if (milli === undefined) throw new RangeError("quantity was not checked");
  return milli;
}
