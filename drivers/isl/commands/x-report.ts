/** `x_report`: prints and reads the day's totals without closing the day. */

import type { IslCommand } from "../command.ts";
import { lastDocumentNumber } from "../last-receipt.ts";
import { describeReport, readReportContext } from "../report.ts";

export const xReport = {
  type: "x_report",
  needs: ["xReport"],
  execute: async ({ device, progress }) => {
    const context = await readReportContext(device);
    await progress.mark("committing");
    const answer = await device.ask("xReport");
    const report = describeReport(device, "x_report", { ...context, answer });
    return { data: { ...report, ...(await lastDocumentNumber(device)) } };
  },
} satisfies IslCommand;
