/** `z_report`: closes the fiscal day, once. The number of the last Z report is what proves it. */

import { makeEntry, resolveEntry } from "../../shared/ledger.ts";
import { readZNumber } from "../account.ts";
import { requireConfirmation, requireMade } from "../cash.ts";
import type { CustomCommand } from "../command.ts";
import type { CustomDevice } from "../device.ts";
import { describeReport } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    device.require("zReport");
    const before = await readZNumber(device);
    const number = before === null ? null : before + 1;
    await makeEntry(
      {
        baseline: { zNumber: before },
        make: async () => {
          const { fault } = await device.send("zReport");
          requireConfirmation(device);
          if (!fault) return;
          const now = await readZNumber(device);
          requireMade(fault, number === null || now === null ? undefined : now === number);
        },
      },
      progress,
    );
    return { data: dayClosed(device, number) };
  },
  resolve: async ({ device, evidence }) => {
    const number = await readZNumber(device);
    return resolveEntry({
      before: evidence.baseline.zNumber,
      now: number,
      isMade: (before, now) => now === before + 1,
      describe: () => dayClosed(device, number),
      unchanged: "The number of the last Z report has not changed",
      untold: "The numbers of the Z reports do not tell",
    });
  },
} satisfies CustomCommand;

function dayClosed(device: CustomDevice, number: number | null) {
  device.dayCloseRequired = false;
  device.facts.zNumber = number;
  return describeReport(device, "z_report", number);
}
