/** `z_report`: closes the fiscal day, once. The number of the last Z report is what proves it. */

import { makeEntry, resolveEntry, Z_REPORTS } from "../../shared/ledger.ts";
import { numberedZReport } from "../../shared/report.ts";
import type { IslCommand } from "../command.ts";
import { readZNumber } from "../connect.ts";
import type { IslDevice } from "../device.ts";
import { describeReport, readReportContext } from "../report.ts";

export const zReport = {
  type: "z_report",
  needs: ["zReport"],
  execute: async ({ device, progress }) => {
    const before = await readZNumber(device);
    const context = await readReportContext(device);
    const make = async () => {
      const answer = await device.ask("zReport");
      return describeReport(device, "z_report", { ...context, answer });
    };
    const data = await makeEntry({ counter: Z_REPORTS, before, make }, progress);
    noteClosedDay(device, data.reportNumber);
    return { data };
  },
  resolve: async ({ device, evidence }) => {
    const now = await readZNumber(device);
    const describe = () => {
      noteClosedDay(device, now);
      return numberedZReport(now, device.facts.info.fiscalMemorySerialNumber);
    };
    return resolveEntry({ counter: Z_REPORTS, evidence, now, describe });
  },
} satisfies IslCommand;

function noteClosedDay(device: IslDevice, zNumber: number | null): void {
  device.day = { open: false, closeRequired: false };
  device.facts.zNumber = zNumber;
}
