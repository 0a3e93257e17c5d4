/** What there is to check of a day of the calendar. */

import { expect, test } from "bun:test";
import en from "../../words/en.json";
import { createFormat } from "../../words/format.ts";
import { phrase } from "../../words/phrase.ts";
import type { Translate } from "../../words/words.tsx";
import { type Day, stateOf } from "./calendar-day.ts";

const format = createFormat({ locale: "en-GB", timezone: "UTC", currency: "EUR" });
const t: Translate = (word, fill) => phrase({ entries: en, locale: "en-GB" }, word, fill);

const report = (reportNumber: number, gross: number, reversals = 0) => ({
  ...{ reportId: `rpt_${reportNumber}`, reportNumber, at: "2026-01-15T20:00:00Z", currency: null },
  difference: { receiptCount: null, reversalCount: null, totals: { gross, reversals } },
  ...{ balanced: gross === 0 && reversals === 0, unseenReports: null },
});
/** One before which others are not stored. */
const after = (unseenReports: { first: number; last: number }, gross: number) => ({
  ...{ ...report(unseenReports.last + 1, gross), unseenReports },
});
const day = (...reports: readonly object[]) =>
  ({ date: "2026-01-15", missing: false, openCount: 0, sums: [], reports }) as unknown as Day;
const concernsOf = (asked: Day) => stateOf(asked, { t, format })?.concerns;

test("Z reports of one date that differ each stand by themselves, and none makes another right", () => {
  expect(concernsOf(day(report(1, 5), report(2, -5), report(3, 0)))).toEqual([
    "Thursday 15\u00a0January: Z report 1 and the receipts stored here differ. The printer sold €5.00 more.",
    "Thursday 15\u00a0January: Z report 2 and the receipts stored here differ. The printer sold €5.00 less.",
  ]);
});

test("the number of a Z report stands as on its paper, without marks between thousands", () => {
  expect(concernsOf(day(report(1234, 5), report(1235, 0)))).toEqual([
    "Thursday 15\u00a0January: Z report 1234 and the receipts stored here differ. The printer sold €5.00 more.",
  ]);
});

test("what a Z report has more is told in the currency of its day, whatever the shop sells in by now", () => {
  const asked = { ...day({ ...report(1, 19.56), currency: "BGN" }), sums: [{ currency: "EUR" }] };
  expect(concernsOf(asked as unknown as Day)?.[0]).toContain(
    "The printer sold BGN\u00a019.56 more.",
  );
});

test("one that differs in more than one thing tells all of it", () => {
  expect(concernsOf(day(report(1, 6.12, -5.5)))).toEqual([
    "Thursday 15\u00a0January: the Z report and the receipts stored here differ. The printer sold €6.12 more. The printer reversed €5.50 less.",
  ]);
});

test("Z reports that are not here are told, also where all others agree", () => {
  const state = stateOf(day(after({ first: 2, last: 2 }, 0)), { t, format });
  expect(state).toEqual({
    ...{ mood: "warn", word: "Z gap" },
    concerns: [
      "Thursday 15\u00a0January: Z report 2 is not stored here. Was it made at the printer itself, or by another program?",
    ],
  });
  expect(concernsOf(day(after({ first: 2, last: 5 }, 5)))).toEqual([
    "Thursday 15\u00a0January: Z reports 2\u20135 are not stored here. Were they made at the printer itself, or by another program?",
    "Thursday 15\u00a0January: the Z report and the receipts stored here differ. The printer sold €5.00 more.",
  ]);
});
