/** `x_report`: prints the day's totals without closing the day. */

import { nextZNumber } from "../../shared/z-report.ts";
import type { ZfpCommand } from "../command.ts";
import { describeReport, readDaySums } from "../report.ts";
import { readZNumber } from "../z-number.ts";

export const xReport = {
  type: "x_report",
  execute: async ({ device, progress }) => {
    const sums = await readDaySums(device);
    const zNumber = await readZNumber(device);
    await progress.mark("committing");
    await device.ask("xReport", "X");
    const number = nextZNumber(zNumber);
    return { data: describeReport(device, "x_report", { sums, number }) };
  },
} satisfies ZfpCommand;
