/** A day of the calendar: how it stands, in a sign and a word. */

import type { Body } from "../../api/queries.ts";
import type { Mood } from "../../parts/state-mark.tsx";
import { differenceText, type Telling } from "../../parts/z-difference.ts";

/** The answer of `GET /reports/calendar`. */
export type Month = Body<"/api/v1/reports/calendar">;
export type Day = Month["days"][number];

/** Its sign and word, and sentences where somebody has to look. */
export interface DayState {
  readonly mood: Mood;
  readonly word: string;
  readonly concerns: readonly string[];
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
      concerns: [t("reports.missingText", { date, count: openCount, amount })],
    };
  }
  const off = reports.filter(({ balanced }) => balanced === false);
  if (off.length > 0) {
    // Each by itself: what one has too much another one may have too little.
    const concerns = off.map((report) => {
      const { reportNumber: number } = report;
      const difference = differenceText(report, sums[0]?.currency, { t, format });
      return reports.length > 1 && number !== null
        ? t("reports.differsOne", { date, number, difference })
        : t("reports.differsText", { date, difference });
    });
    return { mood: "warn", word: t("reports.differs"), concerns };
  }
  if (reports.length > 0) return { mood: "good", word: t("reports.made"), concerns: [] };
  return openCount > 0 ? { mood: "work", word: t("reports.open"), concerns: [] } : undefined;
}
