/** What X and Z reports tell, in the shape that the gateway stores. */

import type { ReportType } from "#core/command/report-result.ts";
import { fromMinor } from "#core/money.ts";
import { vatGroupName } from "#core/vat.ts";
import { unlessRefused } from "../shared/device-fault.ts";
import { toSecond } from "../shared/instant.ts";
import { emptyReport, sumOf } from "../shared/report.ts";
import type { VatRates } from "../shared/vat-groups.ts";
import type { Answer } from "./answer.ts";
import type { IslDevice } from "./device.ts";
import { readVatRates } from "./vat-table.ts";

/**
 * What is read before a report, because a Z report clears it. It is ready for use, because nothing
 * may fail after one. Amounts in currency units; null where the device does not tell.
 */
export interface ReportContext {
  readonly rates: VatRates;
  readonly cash: Readonly<Record<"cashIn" | "cashOut" | "cashBalance", number | null>>;
}

/** Reads what the answer to a report does not hold. @throws FiscalError a line fault */
export async function readReportContext(device: IslDevice): Promise<ReportContext> {
  const rates = (await unlessRefused(readVatRates(device))) ?? [];
  const answer = await device.tryAsk("cashRead");
  const amount = (name: string) => {
    const minor = answer?.toMinor(answer.optional(name) ?? "");
    return minor === undefined ? null : fromMinor(minor);
  };
  const cash = { cashIn: amount("in"), cashOut: amount("out"), cashBalance: amount("cash") };
  return { rates, cash };
}

/**
 * The report behind an answer to command 69.
 * @throws FiscalError E902 when the answer is not a report
 */
export function describeReport(
  device: IslDevice,
  type: ReportType,
  report: ReportContext & { readonly answer: Answer },
) {
  const { answer, rates, cash } = report;
  const { skip, reversals } = device.dialect.reportSums;
  const sums = answer.list.slice(1).map((text) => answer.toMinor(text) ?? 0);
  const block = reversals ? Math.floor(sums.length / 2) : sums.length;
  const turnovers = sums.slice(skip, block);
  const reversed = sums.slice(block + skip, 2 * block);
  const now = device.kept.clockNow();
  return {
    ...emptyReport(type, device.facts.info.fiscalMemorySerialNumber),
    reportNumber: answer.integer("report"),
    totals: {
      gross: sumOf(turnovers),
      reversals: reversals ? sumOf(reversed) : null,
      ...cash,
    },
    vat: turnovers.flatMap((turnoverMinor, index) => {
      const rate = rates[index];
      if (turnoverMinor === 0 && rate === undefined) return [];
      return [
        {
          group: vatGroupName(index + 1),
          rate: rate === undefined ? null : Number(rate),
          turnover: fromMinor(turnoverMinor),
          tax: null,
        },
      ];
    }),
    closedAt: type === "z_report" ? toSecond(now) : null,
  };
}
