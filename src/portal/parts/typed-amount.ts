/** Amounts and quantities as a person writes them. */

/** A day's takings fit, and a slip of the finger does not. */
const AMOUNT = /^(\d{1,6})?(?:[.,](\d{0,2}))?$/;

/**
 * `5` is 5.00, `5.5` and `5,5` are 5.50.
 * @returns cents; undefined for what is no amount, as `1.000`, which may mean two
 */
export function centsTyped(typed: string): number | undefined {
  const [, whole = "", part] = AMOUNT.exec(typed.trim()) ?? [];
  if (whole === "" && (part ?? "") === "") return undefined;
  return Number(`${whole}${(part ?? "").padEnd(2, "0")}`);
}

const QUANTITY = /^(\d{1,6})?(?:[.,](\d{0,3}))?$/;
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
  const [, whole = "", part = ""] = QUANTITY.exec(text) ?? [];
  return whole === "" && part === "" ? undefined : Number(`${whole || "0"}.${part || "0"}`);
}
