/** `z_report`: closes the fiscal day, once. The number of the last Z report is what proves it. */

import type { IslCommand } from "../command.ts";
import { readZNumber } from "../connect.ts";
import { judgeEntry, makeEntry } from "../ledger.ts";
import { describeReport, emptyReport, readReportContext } from "../report.ts";

export const zReport = {
  type: "z_report",
  needs: ["zReport"],
  execute: async ({ device, progress }) => {
    const zNumber = await readZNumber(device);
    const context = await readReportContext(device);
    const data = await makeEntry(
      {
        baseline: { zNumber },
        send: () => device.send("zReport"),
        describe: (answer) => describeReport(device, "z_report", { ...context, answer }),
      },
      progress,
    );
    device.day = { open: false, closeRequired: false };
    device.facts.zNumber = data.reportNumber;
    return { data };
  },
  resolve: async ({ device, evidence }) => {
    const before = evidence.baseline.zNumber;
    const now = await readZNumber(device);
    const outcome = judgeEntry({
      before: typeof before === "number" ? before : null,
      now,
      step: 1,
    });
    switch (outcome) {
      case "printed":
        device.facts.zNumber = now;
        device.day = { open: false, closeRequired: false };
        return {
          outcome,
          success: {
            data: { ...emptyReport(device, "z_report"), reportNumber: now, recovered: true },
          },
        };
      case "not_printed":
        return { outcome, reason: "The number of the last Z report has not changed" };
      case "unknown":
        return { outcome, reason: "The numbers of the Z reports do not tell" };
      default:
        return outcome satisfies never;
    }
  },
} satisfies IslCommand;
