/** `z_report`: closes the fiscal day, once. The number of the last Z report is what proves it. */

import type { ZfpCommand } from "../command.ts";
import { readZNumber } from "../connect.ts";
import { judgeEntry, makeEntry } from "../ledger.ts";
import { describeReport, emptyReport, readDaySums } from "../report.ts";

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    const before = await readZNumber(device);
    const sums = await readDaySums(device);
    const number = before === null ? null : before + 1;
    await makeEntry(
      {
        baseline: { zNumber: before },
        send: () => device.send("zReport", "Z"),
        wasMade: async () => number !== null && (await readZNumber(device)) === number,
      },
      progress,
    );
    device.dayCloseRequired = false;
    device.facts.zNumber = number;
    return { data: describeReport(device, "z_report", { sums, number }) };
  },
  resolve: async ({ device, evidence }) => {
    const before = evidence.baseline.zNumber;
    const now = await readZNumber(device);
    const outcome = judgeEntry({
      before: typeof before === "number" ? before : null,
      now,
      step: 1,
    });
    switch (outcome) {
      case "printed":
        device.facts.zNumber = now;
        device.dayCloseRequired = false;
        return {
          outcome,
          success: {
            data: { ...emptyReport(device, "z_report"), reportNumber: now, recovered: true },
          },
        };
      case "not_printed":
        return { outcome, reason: "The number of the last Z report has not changed" };
      case "unknown":
        return { outcome, reason: "The numbers of the Z reports do not tell" };
      default:
        return outcome satisfies never;
    }
  },
} satisfies ZfpCommand;
