/** `z_report`: closes the fiscal day, once. The number of the last closed day proves it. */

import { makeEntry, resolveEntry } from "../../shared/ledger.ts";
import { emptyReport } from "../../shared/report.ts";
import { clearTheWay, isNext } from "../account.ts";
import type { ShtrihCommand } from "../command.ts";
import { readReport } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    await clearTheWay(device);
    const report = await readReport(device, "z_report");
    const { lastClosedDay } = await device.fullState();
    const now = device.clockNow();
    await makeEntry(
      {
        baseline: { zNumber: lastClosedDay },
        make: async () => {
          await device.ask("zReport");
        },
      },
      progress,
    );
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
    return resolveEntry({
      before: evidence.baseline.zNumber,
      now: lastClosedDay,
      isMade: isNext,
      describe: () => {
        const { fiscalMemorySerialNumber } = device.facts.info;
        return {
          ...emptyReport("z_report", fiscalMemorySerialNumber),
          reportNumber: lastClosedDay,
        };
      },
      unchanged: "The number of the last closed day has not changed",
      untold: "The numbers of the closed days do not tell",
    });
  },
} satisfies ShtrihCommand;
