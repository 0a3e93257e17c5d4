/** `x_report`: prints the day's totals without closing the day. The device tells none of them. */

import { nextZNumber } from "../../shared/z-report.ts";
import type { CustomCommand } from "../command.ts";
import { describeReport } from "../report.ts";
import { readZNumber } from "../z-number.ts";

export const xReport = {
  type: "x_report",
  execute: async ({ device, progress }) => {
    device.require("xReport");
    const zNumber = await readZNumber(device);
    await progress.mark("committing");
    await device.ask("xReport");
    return { data: describeReport(device, "x_report", nextZNumber(zNumber)) };
  },
} satisfies CustomCommand;
