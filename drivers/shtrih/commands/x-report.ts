/** `x_report`: prints the day's totals without closing the day. */

import type { ShtrihCommand } from "../command.ts";
import { nextNumber } from "../counters.ts";
import { readReady } from "../put-away.ts";
import { readReport } from "../report.ts";
import { COUNT } from "../requests.ts";

export const xReport = {
  type: "x_report",
  execute: async ({ device, progress }) => {
    await readReady(device);
    const report = await readReport(device, "x_report");
    const last = await device.countUnlessLacking(COUNT.xReport);
    await progress.mark("committing");
    await device.ask("xReport");
    return { data: { ...report, reportNumber: last === undefined ? null : nextNumber(last) } };
  },
} satisfies ShtrihCommand;
