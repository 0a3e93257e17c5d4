/** Sums as a fiscal device makes them: integers, rounded half up away from zero. */

import { noAmounts } from "./books.ts";
import type { Amounts } from "./receipt.ts";

/** Beyond this a receipt, a day or the cash would not fit the ten digits of a device register. */
export const REGISTER_MINOR_MAX = 9_999_999_999;

/** The tax contained in a turnover whose prices include it, rounded half up. */
export function taxMinor(turnoverMinor: number, rateBasisPoints: number): number {
  // turnover * rate / (1 + rate), with the rate in thousandths of the whole: exact in integers
  // because the product of a register and a rate stays below 2^53.
  const base = 10_000 + rateBasisPoints;
  const sign = turnoverMinor < 0 ? -1 : 1;
  const numerator = Math.abs(turnoverMinor) * rateBasisPoints;
  const tax = (numerator - (numerator % base)) / base;
  return sign * (2 * (numerator % base) >= base ? tax + 1 : tax);
}

/** A share of an amount in hundredths of a percent, rounded half up away from zero. */
export function percentOfMinor(amountMinor: number, basisPoints: number): number {
  const product = amountMinor * basisPoints;
  const magnitude = Math.floor((Math.abs(product) + 5_000) / 10_000);
  return product < 0 ? -magnitude : magnitude;
}

/** The sum over all VAT groups. */
export function sumOf(amounts: Amounts): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/**
 * Spreads a discount or surcharge over the VAT groups in proportion to what each holds, so that
 * the shares add up to the amount exactly; the largest group takes what rounding leaves over.
 */
export function spreadMinor(amountMinor: number, groups: Amounts): number[] {
  const whole = sumOf(groups);
  const shares = noAmounts();
  if (whole === 0) return shares;
  let largest = 0;
  for (const [index, held] of groups.entries()) {
    shares[index] = Number(divideRounded(BigInt(amountMinor) * BigInt(held), BigInt(whole)));
    if (held > (groups[largest] ?? 0)) largest = index;
  }
  shares[largest] = (shares[largest] ?? 0) + amountMinor - sumOf(shares);
  return shares;
}

function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const top = numerator < 0n ? -numerator : numerator;
  const bottom = denominator < 0n ? -denominator : denominator;
  const rounded = (2n * top + bottom) / (2n * bottom);
  return negative ? -rounded : rounded;
}
