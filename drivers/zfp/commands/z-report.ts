/** `z_report`: closes the fiscal day, once. The number of the last Z report tells of it. */

import { numberedZReport } from "../../shared/report.ts";
import { isOfClosedDay, makeUnnumberedZReport, resolveKeptZReport } from "../../shared/z-report.ts";
import type { ZfpCommand } from "../command.ts";
import { describeReport, readDaySums } from "../report.ts";
import { readZNumber } from "../z-number.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    const readNumber = () => readZNumber(device);
    const before = await readNumber();
    const sums = await readDaySums(device);
    const make = () => device.ask("zReport", "Z");
    const day = await makeUnnumberedZReport({ readNumber, make }, progress);
    device.kept.noteDayClosed(day.last);
    const report = describeReport(device, "z_report", { sums, number: day.number });
    const { closedAt } = report;
    const untold = { ...numberedZReport(day.number, device.facts.info), closedAt };
    return { data: isOfClosedDay(before, day) ? report : untold };
  },
  resolve: ({ device, evidence }) =>
    resolveKeptZReport(device, evidence, () => readZNumber(device)),
} satisfies ZfpCommand;
