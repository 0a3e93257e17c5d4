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

/**
 * `1,5` and `1.5` are one and a half, and `1.000` is one, as receipts print it.
 * @returns undefined for what is no quantity, as `1.234,5`, or has more than thousandths
 */
export function quantityTyped(typed: string): number | undefined {
  const [, whole = "", part = ""] = QUANTITY.exec(typed.trim()) ?? [];
  return whole === "" && part === "" ? undefined : Number(`${whole || "0"}.${part || "0"}`);
}
