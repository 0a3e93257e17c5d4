/** An X or Z report as the lines of its paper. */

import type { components } from "../../client/index.ts";
import type { PaperLine } from "./paper-lines.ts";
import { practiceLines } from "./practice-lines.ts";
import type { PaperWords } from "./receipt-lines.ts";

/** What a report tells; null where the printer does not. */
export type PaperReport = Omit<
  components["schemas"]["Report"],
  "id" | "orgId" | "deviceId" | "locationId" | "commandId" | "createdAt"
>;

/** As the printer writes it, as far as the data tell. */
export function reportLines(report: PaperReport, { t, format, groups }: PaperWords): PaperLine[] {
  const { type, reportNumber, receiptCount, reversalCount, totals, vat, payments } = report;
  const { openedAt, closedAt, fiscalMemorySerialNumber } = report;
  const money = (amount: number | null) => (amount === null ? null : format.amount(amount));
  const count = (number: number | null) => (number === null ? null : format.number(number));
  const time = (at: string | null) => (at === null ? null : format.dateTime(at));
  const numbered = reportNumber === null ? [] : [t("report.number", { number: `${reportNumber}` })];
  const lines: PaperLine[] = [
    { kind: "center", text: t(`command.${type}`), isStrong: true },
    ...numbered.map((text): PaperLine => ({ kind: "center", text })),
    ...section([
      [t("report.receipts"), count(receiptCount)],
      [t("report.reversals"), count(reversalCount)],
    ]),
    ...section([
      [t("report.sold"), money(totals.gross), "strong"],
      [t("report.reversed"), money(totals.reversals)],
    ]),
    ...section(
      (vat ?? []).flatMap(({ group, rate, turnover, tax }): Row[] => {
        const name = groups.nameOf(group);
        const shown = rate === null ? name : `${name}, ${format.number(rate)} %`;
        return [
          [shown, money(turnover)],
          [`  ${t("report.tax")}`, money(tax)],
        ];
      }),
    ),
    ...section(
      (payments ?? []).map(({ method, amount }) => [t(`payment.${method}`), money(amount)]),
    ),
    ...section([
      [t("command.cash_in"), money(totals.cashIn)],
      [t("command.cash_out"), money(totals.cashOut)],
      [t("report.drawer"), money(totals.cashBalance)],
    ]),
    ...section([
      [t("report.openedAt"), time(openedAt)],
      [t("report.closedAt"), time(closedAt)],
      [t("printer.fiscalMemory"), fiscalMemorySerialNumber],
    ]),
  ];
  return practiceLines(lines, report, t);
}

type Row = readonly [left: string, right: string | null, weight?: "strong"];

/** Under a rule; nothing where nothing is told. */
function section(rows: readonly Row[]): PaperLine[] {
  const lines = rows.flatMap(([left, right, weight]): PaperLine[] =>
    right === null ? [] : [{ kind: "pair", left, right, isStrong: weight === "strong" }],
  );
  return lines.length === 0 ? [] : [{ kind: "rule" }, ...lines];
}
