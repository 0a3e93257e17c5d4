/** `z_report`: closes the fiscal day, once. The number of the last Z report tells of it. */

import { confirmedZNumber, makeEntry, resolveEntry, Z_REPORT } from "../../shared/ledger.ts";
import { numberedZReport } from "../../shared/report.ts";
import type { ZfpCommand } from "../command.ts";
import { readZNumber } from "../connect.ts";
import type { ZfpDevice } from "../device.ts";
import { describeReport, readDaySums } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    const sums = await readDaySums(device);
    const make = async ({ zNumber }: { readonly zNumber: number | null }) => {
      await device.ask("zReport", "Z");
      return zNumber === null ? null : zNumber + 1;
    };
    const entry = { entry: Z_REPORT, reads: readsOf(device), make };
    const number = await makeEntry(entry, progress);
    noteClosedDay(device, number);
    return { data: describeReport(device, "z_report", { sums, number }) };
  },
  resolve: ({ device, evidence }) =>
    resolveEntry({
      entry: Z_REPORT,
      evidence,
      reads: readsOf(device),
      describe: async (before) => {
        const now = await readZNumber(device);
        noteClosedDay(device, now);
        const { fiscalMemorySerialNumber } = device.facts.info;
        return numberedZReport(confirmedZNumber(before, now), fiscalMemorySerialNumber);
      },
    }),
} satisfies ZfpCommand;

function readsOf(device: ZfpDevice) {
  return { zNumber: () => readZNumber(device) };
}

function noteClosedDay(device: ZfpDevice, zNumber: number | null): void {
  device.dayCloseRequired = false;
  device.facts.zNumber = zNumber;
}
