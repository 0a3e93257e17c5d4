/** A day of the calendar: how it stands, in a sign and a word. */

import type { Body } from "../../api/queries.ts";
import type { Mood } from "../../parts/state-mark.tsx";
import { unseenText } from "../../parts/unseen-reports.ts";
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
  // Each by itself: what one has too much another one may have too little.
  const concerns = reports.flatMap((report) => {
    const { reportNumber: number, unseenReports: unseen } = report;
    const before =
      unseen === null ? [] : [t("reports.unseenOn", { date, what: unseenText(unseen, t) })];
    if (report.balanced !== false) return before;
    const difference = differenceText(report, report.currency ?? undefined, { t, format });
    const differs =
      reports.length > 1 && number !== null
        ? t("reports.differsOne", { date, number: String(number), difference })
        : t("reports.differsText", { date, difference });
    return [...before, differs];
  });
  if (concerns.length > 0) {
    const isOff = reports.some(({ balanced }) => balanced === false);
    return { mood: "warn", word: t(isOff ? "reports.differs" : "reports.gap"), concerns };
  }
  if (reports.length > 0) return { mood: "good", word: t("reports.made"), concerns: [] };
  return openCount > 0 ? { mood: "work", word: t("reports.open"), concerns: [] } : undefined;
}
