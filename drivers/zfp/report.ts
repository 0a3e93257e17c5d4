/** What X and Z reports tell. The device only acknowledges them: the sums are read before. */

import type { ReportType } from "#core/command/report-result.ts";
import { fromMinor } from "#core/money.ts";
import { vatGroupName } from "#core/vat.ts";
import { unlessRefused } from "../shared/device-fault.ts";
import { toSecond } from "../shared/instant.ts";
import { emptyReport, sumOf } from "../shared/report.ts";
import type { VatRates } from "../shared/vat-groups.ts";
import { readCashMinor } from "./cash.ts";
import type { ZfpDevice } from "./device.ts";
import { LIMITS } from "./dialect.ts";
import { readVatRates } from "./vat-table.ts";

/** What the day holds, read before a report because a Z report clears it. */
export interface DaySums {
  readonly rates: VatRates;
  /** Turnover of each VAT group in minor units; undefined when the device does not tell. */
  readonly turnover: readonly number[] | undefined;
  readonly reversals: readonly number[] | undefined;
  readonly cashMinor: number;
}

/** Reads the sums of the day. @throws FiscalError */
export async function readDaySums(device: ZfpDevice): Promise<DaySums> {
  const rates = (await unlessRefused(readVatRates(device))) ?? [];
  const answer = await device.tryAsk("vatSums");
  const groups = LIMITS.vatGroups;
  const sumsFrom = (start: number) =>
    answer && answer.list.length >= start + groups
      ? Array.from({ length: groups }, (_, index) => answer.minor(start + index))
      : undefined;
  return {
    rates,
    turnover: sumsFrom(0),
    // Behind the sales comes their sum, then the same of the stornos; older devices stop earlier.
    reversals: sumsFrom(groups + 1),
    cashMinor: await readCashMinor(device),
  };
}

/** The report that prints these sums. */
export function describeReport(
  device: ZfpDevice,
  type: ReportType,
  report: { readonly sums: DaySums; readonly number: number | null },
) {
  const { rates, turnover, reversals, cashMinor } = report.sums;
  const now = device.kept.clockNow();
  return {
    ...emptyReport(type, device.facts.info.fiscalMemorySerialNumber),
    reportNumber: report.number,
    totals: {
      gross: turnover ? sumOf(turnover) : null,
      reversals: reversals ? sumOf(reversals) : null,
      cashIn: null,
      cashOut: null,
      cashBalance: fromMinor(cashMinor),
    },
    vat:
      turnover?.map((turnoverMinor, index) => ({
        group: vatGroupName(index + 1),
        rate: rates[index] === undefined ? null : Number(rates[index]),
        turnover: fromMinor(turnoverMinor),
        tax: null,
      })) ?? null,
    closedAt: type === "z_report" ? toSecond(now) : null,
  };
}
