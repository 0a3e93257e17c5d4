/** Answers of the long generation: error number 0 and the fields, a TAB after each. */

import { formatMinor } from "#core/money.ts";

/** A successful answer. */
export function ok(...fields: readonly (string | number)[]): string {
  let data = "0\t";
  for (const field of fields) data += `${field}\t`;
  return data;
}

/** Amounts with two decimals. */
export function money(amounts: readonly number[]): string[] {
  return amounts.map(formatMinor);
}
