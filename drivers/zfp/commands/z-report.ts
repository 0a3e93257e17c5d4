/** `z_report`: closes the fiscal day, once. The number of the last Z report is what proves it. */

import { makeEntry, resolveEntry } from "../../shared/ledger.ts";
import { emptyReport } from "../../shared/report.ts";
import type { ZfpCommand } from "../command.ts";
import { readZNumber } from "../connect.ts";
import { describeReport, readDaySums } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    const before = await readZNumber(device);
    const sums = await readDaySums(device);
    const number = before === null ? null : before + 1;
    await makeEntry(
      {
        baseline: { zNumber: before },
        make: async () => {
          const { fault } = await device.send("zReport", "Z");
          if (!fault) return;
          // An error of the device, such as no paper, may come with an entry that was made.
          if (number === null || (await readZNumber(device)) !== number) throw fault;
        },
      },
      progress,
    );
    device.dayCloseRequired = false;
    device.facts.zNumber = number;
    return { data: describeReport(device, "z_report", { sums, number }) };
  },
  resolve: async ({ device, evidence }) => {
    const number = await readZNumber(device);
    return resolveEntry({
      before: evidence.baseline.zNumber,
      now: number,
      isMade: (before, now) => now === before + 1,
      describe: () => {
        device.facts.zNumber = number;
        device.dayCloseRequired = false;
        const { fiscalMemorySerialNumber } = device.facts.info;
        return { ...emptyReport("z_report", fiscalMemorySerialNumber), reportNumber: number };
      },
      unchanged: "The number of the last Z report has not changed",
      untold: "The numbers of the Z reports do not tell",
    });
  },
} satisfies ZfpCommand;
