/** Amounts and quantities as a person writes them. */

/** A day's takings fit, and a slip of the finger does not. */
const NUMBER = /^(\d{1,6})?(?:[.,](\d*))?$/;

/**
 * Reads what is typed into a field of either kind: `5`, `5.5` and `5,5` in every language, with marks
 * between thousands in none.
 * @param decimals most that there may be
 */
function readTyped(typed: string, decimals: number): [whole: string, part: string] | undefined {
  const [, whole = "", part = ""] = NUMBER.exec(typed.trim()) ?? [];
  if ((whole === "" && part === "") || part.length > decimals) return undefined;
  return [whole || "0", part.padEnd(decimals, "0")];
}

/**
 * `5` is 5.00, `5.5` and `5,5` are 5.50.
 * @returns cents; undefined for what is no amount, as `1.000`, which may mean two
 */
export function centsTyped(typed: string): number | undefined {
  const parts = readTyped(typed, 2);
  return parts && Number(parts.join(""));
}

/** What may be thousands, where the mark stands between them. */
const MAYBE_THOUSANDS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** What stands between thousands and before a fraction, where the reader's language writes them. */
export interface Marks {
  readonly group: string;
  readonly point: string;
}

/** @param number writes one as the page does */
export function marksOf(number: (value: number) => string): Marks {
  return { group: marksIn(number(11_111_111)), point: marksIn(number(0.5)) };
}

function marksIn(text: string): string {
  return text.replaceAll(/\d/g, "").slice(0, 1);
}

/**
 * `1,5` and `1.5` are one and a half in every language, and marks between thousands are none in any:
 * `1,234` may mean two where the comma stands between thousands, as may `1.000` where the point does.
 * @returns undefined for what is no quantity, as `1.234,5`, or has more than thousandths
 */
export function quantityTyped(typed: string, { group }: Pick<Marks, "group">): number | undefined {
  const text = typed.trim();
  if (MAYBE_THOUSANDS.test(text) && text.includes(group)) return undefined;
  const parts = readTyped(text, 3);
  return parts && Number(parts.join("."));
}
