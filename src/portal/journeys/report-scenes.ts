/** Table of scenes of reports. */

import type { Route } from "playwright-core";
import {
  ALERT,
  holding,
  instead,
  json,
  open,
  refusal,
  type Scene,
  SKELETON,
  type Stage,
} from "./staging.ts";

const CALENDAR = "/reports/calendar*";
const MONTH = "/reports?month=2026-10";

/** A date with receipts and a Z report of the printer that works. */
const openDate = async (stage: Stage, sign: string): Promise<void> => {
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/Sofia" });
  await open(`/reports/${today}?printer=${stage.printers.ready}`, sign)(stage);
};

const openReport = async (stage: Stage, type: string): Promise<void> => {
  const { reports } = await stage.shop.owner.expect<{ reports: { id: string }[] }>(
    "GET",
    `/reports?type=${type}`,
  );
  await open(`/reports/${reports[0]?.id}`, "main pre")(stage);
};

export const REPORT_SCENES: readonly Scene[] = [
  { name: "reports", play: open("/reports", "main table") },
  {
    name: "reports-month",
    play: instead(CALENDAR, busyMonth, open(MONTH, "main table")),
  },
  { name: "reports-empty-month", play: open("/reports?month=2026-02", "main table") },
  { name: "reports-no-printer", play: instead("/devices", json([]), open("/reports", "strong")) },
  {
    name: "reports-loading",
    play: holding(CALENDAR, open("/reports", SKELETON)),
  },
  {
    name: "reports-failed",
    play: instead(CALENDAR, refusal(500, "INTERNAL_ERROR"), open("/reports", ALERT)),
  },
  {
    name: "reports-forbidden",
    play: instead(CALENDAR, refusal(403, "FORBIDDEN"), open("/reports", ALERT)),
  },
  { name: "report-date", play: (stage) => openDate(stage, "main table") },
  {
    name: "report-date-differs",
    play: instead("/reports/daily*", differing, (stage) => openDate(stage, "main pre")),
  },
  {
    name: "report-date-print",
    play: async (stage) => {
      await openDate(stage, "main pre");
      await stage.page.emulateMedia({ media: "print" });
    },
  },
  { name: "report-date-empty", play: open("/reports/2026-02-03", "main strong") },
  { name: "report-z", play: (stage) => openReport(stage, "z_report") },
  { name: "report-x", play: (stage) => openReport(stage, "x_report") },
  { name: "report-missing", play: open("/reports/rpt_none", ALERT) },
];

/** A month as shops have it: most days closed, one forgotten, one that differs, one closed elsewhere. */
async function busyMonth(route: Route): Promise<void> {
  const answer = await route.fetch();
  const month = await answer.json();
  for (const [at, day] of month.days.entries()) {
    if (at % 7 === 3) continue;
    const net = 380.5 + 61.35 * ((at * 5) % 11) + (at === 22 ? 12_400 : 0);
    day.sums[0] = { ...day.sums[0], receiptCount: 40 + at, gross: net, net };
    day.missing = at === 15;
    day.openCount = at === 15 ? 55 : 0;
    if (at === 15) continue;
    const gross = at === 8 ? 4.5 : 0;
    day.reports.push({
      ...{ reportId: `rpt_${at}`, reportNumber: 200 + at, at: day.to, balanced: gross === 0 },
      difference: { receiptCount: 0, reversalCount: 0, totals: { gross, reversals: 0 } },
      unseenReports: at === 18 ? { first: 217, last: 217 } : null,
    });
  }
  Object.assign(month.totals[0], { receiptCount: 1_204, gross: 21_904.35, net: 21_880.1 });
  Object.assign(month.totals[0], { reversalCount: 2, reversals: 24.25 });
  await route.fulfill({ json: month });
}

/** A sale that was rung up at the printer itself. */
async function differing(route: Route): Promise<void> {
  const answer = await route.fetch();
  const daily = await answer.json();
  const [day] = daily.devices[0].fiscalDays;
  day.balanced = false;
  day.report.receiptCount += 1;
  day.report.totals.gross += 4.5;
  day.report.vat[0].turnover += 4.5;
  await route.fulfill({ json: daily });
}
