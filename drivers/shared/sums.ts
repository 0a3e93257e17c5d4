/** Lines, amount and payments of a receipt, as a device counts them. */

/** What was registered so far. Amounts are magnitudes in minor units. */
export interface Sums {
  readonly items: number;
  readonly amountMinor: number;
  readonly paidMinor: number;
}

/** A receipt as the device counts it. */
export interface CountedReceipt extends Sums {
  readonly open: boolean;
}

/** Nothing registered yet. */
export const NO_SUMS: Sums = { items: 0, amountMinor: 0, paidMinor: 0 };

/** True when the sums are the same. */
export function sameSums(one: Sums, other: Sums): boolean {
  return (
    one.items === other.items &&
    one.amountMinor === other.amountMinor &&
    one.paidMinor === other.paidMinor
  );
}
