/** `z_report`: closes the fiscal day, once. The number of the last Z report tells of it. */

import { makeUnnumberedZReport, resolveKeptZReport } from "../../shared/z-report.ts";
import type { ZfpCommand } from "../command.ts";
import { readZNumber } from "../connect.ts";
import { describeReport, readDaySums } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    const sums = await readDaySums(device);
    const readNumber = () => readZNumber(device);
    const make = () => device.ask("zReport", "Z");
    const number = await makeUnnumberedZReport({ readNumber, make }, progress);
    device.kept.noteDayClosed(number);
    return { data: describeReport(device, "z_report", { sums, number }) };
  },
  resolve: ({ device, evidence }) =>
    resolveKeptZReport(device, evidence, () => readZNumber(device)),
} satisfies ZfpCommand;
