/** How receipts are asked for by what a person types. */

import { isForm, plain } from "./search-words.ts";

/**
 * What to look for among receipts; nothing where no number is typed. "Receipt 7" means 7; 22,5 means the
 * total 22,50 too, and 55 the total 55,00.
 * @param word what a receipt is called
 */
export function receiptQueries(typed: string, word: string): string[] {
  const [first = "", ...rest] = typed.trim().split(/\s+/);
  const isNamed = rest.length > 0 && isForm(plain(first), plain(word));
  const q = isNamed ? rest.join(" ") : [first, ...rest].join(" ");
  if (!/\d/.test(q)) return [];
  if (/^\d{1,9}$/.test(q)) return [q, `${q}.00`];
  return /^\d{1,9}[.,]\d$/.test(q) ? [q, `${q}0`] : [q];
}
