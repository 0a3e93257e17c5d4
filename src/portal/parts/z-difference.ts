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

/** @param currency the shop's unless given */
export function differenceText(
  { difference }: Closed,
  currency: string | undefined,
  { t, format }: Telling,
): string {
  const { gross, reversals } = difference?.totals ?? { gross: null, reversals: null };
  const money = (amount: number) => format.money(Math.abs(amount), currency);
  const parts: string[] = [];
  if (gross)
    parts.push(t(gross > 0 ? "reports.soldMore" : "reports.soldLess", { amount: money(gross) }));
  if (reversals) {
    const amount = money(reversals);
    parts.push(t(reversals > 0 ? "reports.reversedMore" : "reports.reversedLess", { amount }));
  }
  return parts.length > 0 ? parts.join(" ") : t("reports.countsDiffer");
}
