/** `z_report`: closes the fiscal day, once. The number of the last Z report tells of it. */

import type { LedgerCounts } from "../../shared/ledger.ts";
import { isOfClosedDay, makeZReport, resolveKeptZReport } from "../../shared/z-report.ts";
import type { Answer } from "../answer.ts";
import type { IslCommand } from "../command.ts";
import { lastDocumentNumber } from "../last-receipt.ts";
import { describeReport, readReportContext, UNTOLD_CASH } from "../report.ts";
import { readZNumber } from "../z-number.ts";

export const zReport = {
  type: "z_report",
  needs: ["zReport"],
  execute: async ({ device, progress }) => {
    const readNumber = () => readZNumber(device);
    const before = await readNumber();
    const context = await readReportContext(device);
    const make = async (counts: LedgerCounts) => {
      const answer = await device.send("zReport");
      if (answer.fault && !tellsOfReport(answer, counts)) throw answer.fault;
      const report = describeReport(device, "z_report", { ...context, answer });
      // Its sums are those of the answer; the cash was read before, maybe of a day that others closed.
      if (isOfClosedDay(before, { shown: report.reportNumber })) return report;
      return { ...report, totals: { ...report.totals, ...UNTOLD_CASH } };
    };
    const data = await makeZReport({ readNumber, make }, progress);
    device.kept.noteDayClosed(data.reportNumber);
    return { data: { ...data, ...(await lastDocumentNumber(device)) } };
  },
  resolve: ({ device, evidence }) =>
    resolveKeptZReport(device, evidence, () => readZNumber(device)),
} satisfies IslCommand;

/**
 * True for an answer that holds the sums of a new report: a state of the printer, such as no more
 * paper, may stand in its status all the same.
 */
function tellsOfReport(answer: Answer, { zNumber }: LedgerCounts): boolean {
  const number = answer.optional("report") ?? "";
  const isNew = zNumber !== null && /^\d{1,9}$/.test(number) && Number(number) > zNumber;
  return isNew && answer.list.length > 1;
}
