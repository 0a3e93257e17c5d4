/** What sums of a currency that the euro has replaced come to in it. */

/**
 * Units of a currency that are one euro, times 100,000.
 * Source: Council Regulation (EC) 2866/98 as amended for Bulgaria: 1.95583 leva from 1 January 2026.
 */
const PER_EURO: Readonly<Record<string, number>> = { BGN: 195_583 };
const SCALE = 100_000;

/**
 * An amount in euro cents, rounded to the nearest.
 * @param amountMinor hundredths of `currency`
 * @param currency code of ISO 4217
 * @returns undefined for a currency that was not replaced
 */
export function inEuroCents(amountMinor: number, currency: string): number | undefined {
  const rate = PER_EURO[currency];
  return rate === undefined ? undefined : Math.round((amountMinor * SCALE) / rate);
}
