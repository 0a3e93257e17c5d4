/** Reading decimal JSON numbers of a payload, with the fault named by its path. */

import type { ValidationIssue } from "../errors.ts";
import { AMOUNT_MINOR_MAX, QUANTITY_MILLI_MAX } from "../limits.ts";
import { toMilli, toMinor } from "../money.ts";

/** Faults of a money amount in currency units; `least` is in minor units. */
export function amountIssues(path: string, value: number, least: 0 | 1): ValidationIssue[] {
  const minor = toMinor(value);
  if (minor === undefined) return [{ path, message: "Expected at most 2 decimals" }];
  if (minor < least || minor > AMOUNT_MINOR_MAX) {
    return [{ path, message: `Expected ${least === 0 ? "0" : "0.01"} to 99999999.99` }];
  }
  return [];
}

/** Faults of a quantity. */
export function quantityIssues(path: string, value: number): ValidationIssue[] {
  const milli = toMilli(value);
  if (milli === undefined) return [{ path, message: "Expected at most 3 decimals" }];
  if (milli < 1 || milli > QUANTITY_MILLI_MAX) {
    return [{ path, message: "Expected 0.001 to 999999.999" }];
  }
  return [];
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
