/** `x_report`: prints and reads the day's totals without closing the day. */

import type { IslCommand } from "../command.ts";
import { readReport } from "../report.ts";

export const xReport = {
  type: "x_report",
  needs: ["xReport"],
  execute: async ({ device, progress }) => {
    await progress.mark("committing");
    const answer = await device.ask("xReport");
    return { data: await readReport(device, "x_report", answer) };
  },
} satisfies IslCommand;
