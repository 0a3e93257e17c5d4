/** `z_report`: closes the fiscal day, once. The number of the last closed day tells of it. */

import { toSecond } from "../../shared/instant.ts";
import { confirmedZNumber, makeEntry, resolveEntry, Z_REPORT } from "../../shared/ledger.ts";
import { numberedZReport } from "../../shared/report.ts";
import type { ShtrihCommand } from "../command.ts";
import type { ShtrihDevice } from "../device.ts";
import { clearTheWay } from "../put-away.ts";
import { readReport } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    await clearTheWay(device);
    const report = await readReport(device, "z_report");
    const closedAt = toSecond(device.clockNow());
    const make = async ({ zNumber }: { readonly zNumber: number | null }) => {
      await device.ask("zReport");
      return zNumber === null ? null : zNumber + 1;
    };
    const entry = { entry: Z_REPORT, reads: readsOf(device), make };
    const reportNumber = await makeEntry(entry, progress);
    return { data: { ...report, reportNumber, closedAt } };
  },
  resolve: ({ device, evidence }) =>
    resolveEntry({
      entry: Z_REPORT,
      evidence,
      reads: readsOf(device),
      describe: async (before) => {
        const now = await readsOf(device).zNumber();
        const { fiscalMemorySerialNumber } = device.facts.info;
        return numberedZReport(confirmedZNumber(before, now), fiscalMemorySerialNumber);
      },
    }),
} satisfies ShtrihCommand;

function readsOf(device: ShtrihDevice) {
  return { zNumber: async () => (await device.fullState()).lastClosedDay };
}
