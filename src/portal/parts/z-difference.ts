/** In what a Z report and the stored receipts of its day differ, as a sentence. */

import type { Format } from "../words/format.ts";
import type { Translate } from "../words/words.tsx";

/** What the sentences are made with. */
export interface Telling {
  readonly t: Translate;
  readonly format: Format;
}

/** A Z report, with what it has beyond the stored receipts. */
interface Closed {
  readonly difference: {
    /** Currency units. */
    readonly totals: { readonly gross: number | null; readonly reversals: number | null };
  } | null;
}

/** @param closed those of one day; @param currency the shop's unless given */
export function differenceText(
  closed: readonly Closed[],
  currency: string | undefined,
  { t, format }: Telling,
): string {
  const add = (amounts: readonly (number | null | undefined)[]) =>
    amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);
  const gross = add(closed.map(({ difference }) => difference?.totals.gross));
  const reversals = add(closed.map(({ difference }) => difference?.totals.reversals));
  const money = (amount: number) => format.money(Math.abs(amount), currency);
  if (gross !== 0) {
    return t(gross > 0 ? "reports.soldMore" : "reports.soldLess", { amount: money(gross) });
  }
  if (reversals !== 0) {
    const amount = money(reversals);
    return t(reversals > 0 ? "reports.reversedMore" : "reports.reversedLess", { amount });
  }
  return t("reports.countsDiffer");
}
