/**
 * Exact decimal arithmetic on integers: money as minor units (1/100), quantities as thousandths.
 * JSON numbers enter through `toScaled` and leave through `fromMinor`; no binary floating-point
 * sum decides anything in between.
 */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Reads a JSON number as an integer of `10^-decimals` units.
 * @returns undefined when the number has more decimals than that, or is too large to be exact
 */
export function toScaled(value: number, decimals: number): number | undefined {
  const scale = 10 ** decimals;
  const scaled = Math.round(value * scale);
  // The product may be off by a hair (1.1 * 100 is 110.00000000000001), but dividing the right
  // integer gives back exactly the double nearest to the decimal that the client wrote.
  if (!Number.isSafeInteger(scaled) || scaled / scale !== value) return undefined;
  return scaled === 0 ? 0 : scaled;
}

/** Currency units as minor units; undefined when there are more than 2 decimals. */
export function toMinor(value: number): number | undefined {
  return toScaled(value, 2);
}

/** A quantity as thousandths; undefined when there are more than 3 decimals. */
export function toMilli(value: number): number | undefined {
  return toScaled(value, 3);
}

/** Minor units as the JSON number of currency units. */
export function fromMinor(minor: number): number {
  return Number(formatMinor(minor));
}

/** Minor units as text with two decimals, as printers write money: `1250` is `12.50`. */
export function formatMinor(minor: number): string {
  return formatScaled(minor, 2);
}

/** Thousandths as text with three decimals: `2500` is `2.500`. */
export function formatMilli(milli: number): string {
  return formatScaled(milli, 3);
}

function formatScaled(value: number, decimals: number): string {
  const digits = String(Math.abs(value)).padStart(decimals + 1, "0");
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return value < 0 ? `-${text}` : text;
}

/**
 * Reads decimal text such as `12.50`, `-3` or `0.5`.
 * @returns an integer of `10^-decimals` units, undefined when it is not such a number
 */
export function parseScaled(text: string, decimals: number): number | undefined {
  const match = DECIMAL.exec(text.trim());
  if (!match) return undefined;
  const [, sign, whole = "", fraction = ""] = match;
  if (fraction.length > decimals && /[1-9]/.test(fraction.slice(decimals))) return undefined;
  const scaled = Number(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  if (!Number.isSafeInteger(scaled)) return undefined;
  return sign === "-" && scaled !== 0 ? -scaled : scaled;
}

/**
 * Price times quantity, rounded half up to a minor unit, as the devices do it.
 * @param priceMinor unit price in minor units
 * @param quantityMilli quantity in thousandths
 */
export function lineTotalMinor(priceMinor: number, quantityMilli: number): number {
  const product = priceMinor * quantityMilli;
  if (Number.isSafeInteger(product) && product >= 0) {
    const rest = product % 1000;
    return (product - rest) / 1000 + (rest >= 500 ? 1 : 0);
  }
  // The product passes 2^53 at the largest price and quantity.
  const exact = BigInt(priceMinor) * BigInt(quantityMilli);
  const half = exact < 0n ? -500n : 500n;
  return Number((exact + half) / 1000n);
}
