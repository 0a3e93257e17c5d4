/** `z_report`: closes the fiscal day, once. The number of the last Z report is what proves it. */

import { makeEntry, resolveEntry, sendProven, Z_REPORTS } from "../../shared/ledger.ts";
import { numberedZReport } from "../../shared/report.ts";
import type { ZfpCommand } from "../command.ts";
import { readZNumber } from "../connect.ts";
import type { ZfpDevice } from "../device.ts";
import { describeReport, readDaySums } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    const counter = Z_REPORTS;
    const before = await readZNumber(device);
    const sums = await readDaySums(device);
    const send = async () => (await device.send("zReport", "Z")).fault;
    const make = () => sendProven({ counter, before, send, read: () => readZNumber(device) });
    await makeEntry({ counter, before, make }, progress);
    const number = before === null ? null : before + 1;
    noteClosedDay(device, number);
    return { data: describeReport(device, "z_report", { sums, number }) };
  },
  resolve: async ({ device, evidence }) => {
    const now = await readZNumber(device);
    const describe = () => {
      noteClosedDay(device, now);
      return numberedZReport(now, device.facts.info.fiscalMemorySerialNumber);
    };
    return resolveEntry({ counter: Z_REPORTS, evidence, now, describe });
  },
} satisfies ZfpCommand;

function noteClosedDay(device: ZfpDevice, zNumber: number | null): void {
  device.dayCloseRequired = false;
  device.facts.zNumber = zNumber;
}
