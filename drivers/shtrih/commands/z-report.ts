/** `z_report`: closes the fiscal day, once. The number of the last closed day tells of it. */

import { toSecond } from "../../shared/instant.ts";
import { numberedZReport } from "../../shared/report.ts";
import { isOfClosedDay, makeUnnumberedZReport, resolveZReport } from "../../shared/z-report.ts";
import type { ShtrihCommand } from "../command.ts";
import { readReady } from "../put-away.ts";
import { readReport } from "../report.ts";
import { readZNumber } from "../z-number.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    const { lastClosedDay } = await readReady(device);
    const report = await readReport(device, "z_report");
    const closedAt = toSecond(device.kept.clockNow());
    const readNumber = () => readZNumber(device);
    const make = () => device.ask("zReport");
    const day = await makeUnnumberedZReport({ readNumber, make }, progress);
    const untold = numberedZReport(day.number, device.facts.info);
    const told = isOfClosedDay(lastClosedDay, day) ? report : untold;
    return { data: { ...told, reportNumber: day.number, closedAt } };
  },
  resolve: ({ device, evidence }) =>
    resolveZReport({
      evidence,
      readNumber: () => readZNumber(device),
      describe: (number) => numberedZReport(number, device.facts.info),
    }),
} satisfies ShtrihCommand;
