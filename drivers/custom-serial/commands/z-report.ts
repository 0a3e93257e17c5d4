/** `z_report`: closes the fiscal day, once. The number of the last Z report tells of it. */

import { confirmedZNumber, makeEntry, resolveEntry, Z_REPORT } from "../../shared/ledger.ts";
import { sendConfirmed } from "../cash.ts";
import type { CustomCommand } from "../command.ts";
import type { CustomDevice } from "../device.ts";
import { readZNumber } from "../receipts.ts";
import { describeReport } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    device.require("zReport");
    const make = async ({ zNumber }: { readonly zNumber: number | null }) => {
      await sendConfirmed(device, { name: "zReport", values: {} });
      return zNumber === null ? null : zNumber + 1;
    };
    const entry = { entry: Z_REPORT, reads: readsOf(device), make };
    return { data: dayClosed(device, await makeEntry(entry, progress)) };
  },
  resolve: ({ device, evidence }) =>
    resolveEntry({
      entry: Z_REPORT,
      evidence,
      reads: readsOf(device),
      describe: async (before) =>
        dayClosed(device, confirmedZNumber(before, await readZNumber(device))),
    }),
} satisfies CustomCommand;

function readsOf(device: CustomDevice) {
  return { zNumber: () => readZNumber(device) };
}

function dayClosed(device: CustomDevice, number: number | null) {
  device.dayCloseRequired = false;
  device.facts.zNumber = number;
  return describeReport(device, "z_report", number);
}
