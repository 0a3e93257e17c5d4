/** Answers of the short generation: comma-separated, amounts as digits of minor units. */

/** Digits with leading zeros; a sign goes before them. */
export function digits(value: number, width: number): string {
  const text = String(Math.abs(value)).padStart(width, "0");
  return value < 0 ? `-${text}` : text;
}

/** Always with a sign, as the transaction status writes amounts. */
export function signedDigits(value: number, width: number): string {
  return `${value < 0 ? "-" : "+"}${digits(Math.abs(value), width)}`;
}
