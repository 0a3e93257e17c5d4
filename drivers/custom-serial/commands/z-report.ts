/** `z_report`: closes the fiscal day, once. The number of the last Z report tells of it. */

import { makeUnnumberedZReport, resolveKeptZReport } from "../../shared/z-report.ts";
import { sendConfirmed } from "../cash.ts";
import type { CustomCommand } from "../command.ts";
import { describeReport } from "../report.ts";
import { readZNumber } from "../z-number.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    device.require("zReport");
    const readNumber = () => readZNumber(device);
    const make = () => sendConfirmed(device, { name: "zReport", values: {} });
    const { number, last } = await makeUnnumberedZReport({ readNumber, make }, progress);
    device.kept.noteDayClosed(last);
    return { data: describeReport(device, "z_report", number) };
  },
  resolve: ({ device, evidence }) =>
    resolveKeptZReport(device, evidence, () => readZNumber(device)),
} satisfies CustomCommand;
