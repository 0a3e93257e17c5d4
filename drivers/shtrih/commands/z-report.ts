/** `z_report`: closes the fiscal day, once. The number of the last closed day proves it. */

import { clearTheWay } from "../account.ts";
import type { ShtrihCommand } from "../command.ts";
import { judgeEntry, makeEntry } from "../ledger.ts";
import { emptyReport, readReport } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    await clearTheWay(device);
    const report = await readReport(device, "z_report");
    const { lastClosedDay } = await device.fullState();
    const now = device.clockNow();
    await makeEntry(progress, { zNumber: lastClosedDay }, () => device.send("zReport"));
    return {
      data: {
        ...report,
        reportNumber: lastClosedDay + 1,
        closedAt: now === null ? null : new Date(now).toISOString(),
      },
    };
  },
  resolve: async ({ device, evidence }) => {
    const { lastClosedDay } = await device.fullState();
    const outcome = judgeEntry(evidence.baseline.zNumber, lastClosedDay);
    switch (outcome) {
      case "printed": {
        const report = { ...emptyReport(device, "z_report"), reportNumber: lastClosedDay };
        return { outcome, success: { data: { ...report, recovered: true } } };
      }
      case "not_printed":
        return { outcome, reason: "The number of the last closed day has not changed" };
      case "unknown":
        return { outcome, reason: "The numbers of the closed days do not tell" };
      default:
        return outcome satisfies never;
    }
  },
} satisfies ShtrihCommand;
