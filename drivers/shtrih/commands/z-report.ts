/** `z_report`: closes the fiscal day, once. The number of the last closed day proves it. */

import { toSecond } from "../../shared/instant.ts";
import { type LedgerCounter, makeEntry, resolveEntry } from "../../shared/ledger.ts";
import { numberedZReport } from "../../shared/report.ts";
import type { ShtrihCommand } from "../command.ts";
import { isNext } from "../counters.ts";
import { clearTheWay } from "../put-away.ts";
import { readReport } from "../report.ts";

const CLOSED_DAYS: LedgerCounter = {
  name: "zNumber",
  isMade: isNext,
  unchanged: "The number of the last closed day has not changed",
  untold: "The numbers of the closed days do not tell",
};

export const zReport = {
  type: "z_report",
  execute: async ({ device, progress }) => {
    await clearTheWay(device);
    const report = await readReport(device, "z_report");
    const { lastClosedDay: before } = await device.fullState();
    const closedAt = toSecond(device.clockNow());
    const make = async () => {
      await device.ask("zReport");
    };
    await makeEntry({ counter: CLOSED_DAYS, before, make }, progress);
    return { data: { ...report, reportNumber: before + 1, closedAt } };
  },
  resolve: async ({ device, evidence }) => {
    const { lastClosedDay: now } = await device.fullState();
    const { fiscalMemorySerialNumber } = device.facts.info;
    const describe = () => numberedZReport(now, fiscalMemorySerialNumber);
    return resolveEntry({ counter: CLOSED_DAYS, evidence, now, describe });
  },
} satisfies ShtrihCommand;
