/** What X and Z reports tell, in the shape that the gateway stores. */

import type { ReportType } from "#core/command/report-result.ts";
import { fromMinor } from "#core/money.ts";
import { VAT_GROUP_COUNT, vatGroupName } from "#core/vat.ts";
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

/** Of a report of which the device does not show what cash its day had. */
export const UNTOLD_CASH: ReportContext["cash"] = {
  cashIn: null,
  cashOut: null,
  cashBalance: null,
};

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
  const { turnovers, reversed } = toldSums(device, answer, rates);
  const now = device.kept.clockNow();
  return {
    ...emptyReport(type, device.facts.info.fiscalMemorySerialNumber),
    reportNumber: answer.integer("report"),
    totals: {
      gross: turnovers && sumOf(turnovers),
      reversals: reversed && sumOf(reversed),
      ...cash,
    },
    vat: turnovers?.flatMap((minor, index) => vatRow(minor, index, rates)) ?? null,
    closedAt: type === "z_report" ? toSecond(now) : null,
  };
}

/** By group, in minor units; null where they are not told. */
interface ToldSums {
  readonly turnovers: readonly number[] | null;
  readonly reversed: readonly number[] | null;
}

/**
 * The sums of an answer. How many there are tells which are the reversals: an answer with another number
 * of them, as one that holds sales alone, tells none. Nor does one of which a sum is no amount.
 */
function toldSums({ dialect }: IslDevice, answer: Answer, rates: VatRates): ToldSums {
  const { skip, reversals } = dialect.reportSums;
  const texts = answer.list.slice(1);
  // A separator may stand behind the last one as well.
  if (texts.at(-1)?.trim() === "") texts.pop();
  const length = reversals ? texts.length / 2 : texts.length;
  // Some firmware has fewer groups than its dialect, and as few rates.
  const groupsMin = reversals ? Math.min(dialect.vatGroups.length, rates.length || Infinity) : 1;
  const groups = length - skip;
  if (!Number.isInteger(groups) || groups < groupsMin || groups > VAT_GROUP_COUNT) {
    return { turnovers: null, reversed: null };
  }
  const block = (from: number) => {
    const sums = texts.slice(from + skip, from + length).map((text) => answer.toMinor(text));
    return sums.every((sum) => sum !== undefined) ? sums : null;
  };
  return { turnovers: block(0), reversed: reversals ? block(length) : null };
}

function vatRow(turnoverMinor: number, index: number, rates: VatRates) {
  const rate = rates[index];
  if (turnoverMinor === 0 && rate === undefined) return [];
  const group = vatGroupName(index + 1);
  const turnover = fromMinor(turnoverMinor);
  return [{ group, rate: rate === undefined ? null : Number(rate), turnover, tax: null }];
}
