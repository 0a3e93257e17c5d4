/** What sums in euro were in a currency that the euro has replaced. */

/**
 * Units of a currency that are one euro, times 100,000.
 * Source: Council Regulation (EC) 2866/98 as amended for Bulgaria: 1.95583 leva from 1 January 2026.
 */
const PER_EURO: Readonly<Record<string, number>> = { BGN: 195_583 };
const SCALE = 100_000;

/** Whether sums of a currency are told in another one at a fixed rate. Codes of ISO 4217. */
export function isReplacedBy(currency: string, other: string): boolean {
  return other === "EUR" && Object.hasOwn(PER_EURO, currency);
}

/**
 * An amount in euro cents, rounded to the nearest.
 * @param amountMinor hundredths of `currency`
 * @param currency one that the euro has replaced
 * @throws Error for any other currency
 */
export function inEuroCents(amountMinor: number, currency: string): number {
  return Math.round((amountMinor * SCALE) / rateOf(currency));
}

/**
 * The least amount that comes to so many euro cents once it is rounded to the nearest: what was sold at
 * any price that comes to them has that at least.
 * @param cents 0 or more
 * @param currency one that the euro has replaced
 * @returns hundredths of `currency`
 * @throws Error for any other currency
 */
export function leastOfEuro(cents: number, currency: string): number {
  const rate = rateOf(currency);
  // In half cents, so that all of it stays whole.
  return Math.max(0, Math.ceil(((2 * cents - 1) * rate) / (2 * SCALE)));
}

function rateOf(currency: string): number {
  const rate = PER_EURO[currency];
  if (rate === undefined) throw new Error(`the euro has not replaced ${currency}`);
  return rate;
}
