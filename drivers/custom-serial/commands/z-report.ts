/** `z_report`: closes the fiscal day, once. The number of the last Z report is what proves it. */

import { makeEntry, resolveEntry, Z_REPORTS } from "../../shared/ledger.ts";
import { sendConfirmed } from "../cash.ts";
import type { CustomCommand } from "../command.ts";
import type { CustomDevice } from "../device.ts";
import { readZNumber } from "../receipts.ts";
import { describeReport } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    device.require("zReport");
    const before = await readZNumber(device);
    const proof = { counter: Z_REPORTS, before, read: () => readZNumber(device) };
    const make = () => sendConfirmed(device, { name: "zReport", values: {} }, proof);
    await makeEntry({ ...proof, make }, progress);
    return { data: dayClosed(device, before === null ? null : before + 1) };
  },
  resolve: async ({ device, evidence }) => {
    const now = await readZNumber(device);
    const describe = () => dayClosed(device, now);
    return resolveEntry({ counter: Z_REPORTS, evidence, now, describe });
  },
} satisfies CustomCommand;

function dayClosed(device: CustomDevice, number: number | null) {
  device.dayCloseRequired = false;
  device.facts.zNumber = number;
  return describeReport(device, "z_report", number);
}
