/** A day of the calendar: how it stands, in a sign and a word. */

import type { Body } from "../../api/queries.ts";
import type { Mood } from "../../parts/state-mark.tsx";
import type { Format } from "../../words/format.ts";
import type { Translate } from "../../words/words.tsx";

/** The answer of `GET /reports/calendar`. */
export type Month = Body<"/api/v1/reports/calendar">;
export type Day = Month["days"][number];

/** Its sign and word, and a sentence where somebody has to look. */
export interface DayState {
  readonly mood: Mood;
  readonly word: string;
  readonly concern?: string;
}

/** What the sentences are made with. */
interface Telling {
  readonly t: Translate;
  readonly format: Format;
}

/** Undefined for a day on which nothing was printed. */
export function stateOf(day: Day, { t, format }: Telling): DayState | undefined {
  const { reports, missing, openCount, sums } = day;
  const date = format.calendarDay(day.date);
  if (missing) {
    const amount = sums
      .filter(({ receiptCount, reversalCount }) => receiptCount + reversalCount > 0)
      .map(({ net, currency }) => format.money(net, currency))
      .join(" + ");
    return {
      mood: "bad",
      word: t("reports.missing"),
      concern: t("reports.missingText", { date, count: openCount, amount }),
    };
  }
  if (reports.some(({ balanced }) => balanced === false)) {
    return {
      mood: "warn",
      word: t("reports.differs"),
      concern: t("reports.differsText", { date, difference: differenceText(day, { t, format }) }),
    };
  }
  if (reports.length > 0) return { mood: "good", word: t("reports.made") };
  return openCount > 0 ? { mood: "work", word: t("reports.open") } : undefined;
}

/** What the Z reports of the day have beyond the stored receipts: the sum where it differs. */
function differenceText({ reports, sums }: Day, { t, format }: Telling): string {
  const add = (amounts: readonly (number | null)[]) =>
    amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);
  const gross = add(reports.map(({ difference }) => difference.totals.gross));
  const reversals = add(reports.map(({ difference }) => difference.totals.reversals));
  const money = (amount: number) => format.money(amount, sums[0]?.currency);
  if (gross !== 0) {
    const amount = money(Math.abs(gross));
    return t(gross > 0 ? "reports.soldMore" : "reports.soldLess", { amount });
  }
  if (reversals !== 0) {
    const amount = money(Math.abs(reversals));
    return t(reversals > 0 ? "reports.reversedMore" : "reports.reversedLess", { amount });
  }
  return t("reports.countsDiffer");
}
