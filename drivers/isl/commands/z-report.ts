/** `z_report`: closes the fiscal day, once. The number of the last Z report is what proves it. */

import { makeEntry, resolveEntry } from "../../shared/ledger.ts";
import { emptyReport } from "../../shared/report.ts";
import type { IslCommand } from "../command.ts";
import { readZNumber } from "../connect.ts";
import { describeReport, readReportContext } from "../report.ts";

export const zReport = {
  type: "z_report",
  needs: ["zReport"],
  execute: async ({ device, progress }) => {
    const zNumber = await readZNumber(device);
    const context = await readReportContext(device);
    const data = await makeEntry(
      {
        baseline: { zNumber },
        make: async () => {
          const answer = await device.ask("zReport");
          return describeReport(device, "z_report", { ...context, answer });
        },
      },
      progress,
    );
    device.day = { open: false, closeRequired: false };
    device.facts.zNumber = data.reportNumber;
    return { data };
  },
  resolve: async ({ device, evidence }) => {
    const number = await readZNumber(device);
    return resolveEntry({
      before: evidence.baseline.zNumber,
      now: number,
      isMade: (before, now) => now === before + 1,
      describe: () => {
        device.facts.zNumber = number;
        device.day = { open: false, closeRequired: false };
        const { fiscalMemorySerialNumber } = device.facts.info;
        return { ...emptyReport("z_report", fiscalMemorySerialNumber), reportNumber: number };
      },
      unchanged: "The number of the last Z report has not changed",
      untold: "The numbers of the Z reports do not tell",
    });
  },
} satisfies IslCommand;
