/** The figures of a report and of the stored receipts, side by side; what differs is marked. */

import { useVatGroups } from "../../parts/printer-groups.ts";
import { isTender } from "../../parts/tender.ts";
import type { VatGroups } from "../../parts/vat-group.ts";
import type { Format } from "../../words/format.ts";
import { type Translate, useFormat, useWords } from "../../words/words.tsx";
import type { FiscalDay, Report } from "./daily.ts";
import styles from "./report.module.css";

type Stored = FiscalDay["stored"];

interface FiguresProps {
  /** The printer whose figures they are. */
  readonly deviceId: string;
  readonly report?: Report;
  readonly stored?: Stored;
  /** The shop's unless given. */
  readonly currency: string | undefined;
}

/** A row: what the report says and what the receipts say; undefined where one of them has no word. */
interface Row {
  readonly label: string;
  readonly told?: number | null | undefined;
  readonly stored?: number | undefined;
  readonly isCount?: boolean;
  /** Printers share discounts out by rules of their own: a difference says little. */
  readonly isLoose?: boolean;
}

export function Figures({ deviceId, report, stored, currency }: FiguresProps) {
  const { t } = useWords();
  const format = useFormat();
  const groups = useVatGroups(deviceId);
  const isCompared = report !== undefined && stored !== undefined;
  const sections = [
    { title: t("report.day"), rows: dayRows(report, stored, t) },
    { title: t("today.byVat"), rows: vatRows(report, stored, groups) },
    { title: t("today.byPayment"), rows: paymentRows(report, stored, t) },
    { title: t("report.cash"), rows: cashRows(report, t) },
  ].map(({ title, rows }) => ({ title, rows: rows.filter(isShown) }));
  return (
    <table className={`box ${styles.figures}`}>
      <thead>
        <tr>
          <th scope="col" className="aside">
            {currency && format.currency(currency)}
          </th>
          {report !== undefined && (
            <th scope="col">{t(report.type === "z_report" ? "report.z" : "report.x")}</th>
          )}
          {stored !== undefined && <th scope="col">{t("report.stored")}</th>}
        </tr>
      </thead>
      {sections.map(({ title, rows }) =>
        rows.length === 0 ? null : (
          <tbody key={title}>
            <tr>
              <th scope="rowgroup" colSpan={isCompared ? 3 : 2} className={styles.section}>
                {title}
              </th>
            </tr>
            {rows.map((row) => (
              <FigureRow
                key={row.label}
                row={row}
                columns={{ told: report !== undefined, stored: stored !== undefined }}
                format={format}
              />
            ))}
          </tbody>
        ),
      )}
    </table>
  );
}

interface FigureRowProps {
  readonly row: Row;
  readonly columns: { readonly told: boolean; readonly stored: boolean };
  readonly format: Format;
}

function FigureRow({ row, columns, format }: FigureRowProps) {
  const { t } = useWords();
  const { label, told, stored, isCount = false, isLoose = false } = row;
  const write = isCount ? format.number : format.amount;
  const difference = differenceOf(row);
  return (
    <>
      <tr>
        <th scope="row">{label}</th>
        {columns.told && <td className="figure">{shown(told, write)}</td>}
        {columns.stored && <td className="figure">{shown(stored, write)}</td>}
      </tr>
      {difference !== 0 && (
        <tr className={styles.difference} data-loose={isLoose}>
          <td colSpan={3}>
            {t(difference > 0 ? "report.more" : "report.less", {
              what: write(Math.abs(difference)),
            })}
          </td>
        </tr>
      )}
    </>
  );
}

function shown(value: number | null | undefined, write: (value: number) => string): string {
  if (value === undefined) return "";
  return value === null ? "–" : write(value);
}

/** What the report has beyond the receipts, in whole cents. */
function differenceOf({ told, stored }: Row): number {
  if (told === undefined || told === null || stored === undefined) return 0;
  return (Math.round(told * 100) - Math.round(stored * 100)) / 100;
}

/** Not what neither tells, nor a group or tender that nothing came by. */
function isShown({ told, stored, isLoose }: Row): boolean {
  const values = [told, stored].filter((value) => value !== undefined && value !== null);
  return isLoose === true ? values.some((value) => value !== 0) : values.length > 0;
}

function dayRows(report: Report | undefined, stored: Stored | undefined, t: Translate): Row[] {
  const isCount = true;
  return [
    {
      ...{ label: t("report.receipts"), isCount },
      ...{ told: report?.receiptCount, stored: stored?.receiptCount },
    },
    {
      label: t("report.sold"),
      ...{ told: report?.totals.gross, stored: stored?.totals.gross },
    },
    {
      ...{ label: t("report.reversals"), isCount },
      ...{ told: report?.reversalCount, stored: stored?.reversalCount },
    },
    {
      label: t("report.reversed"),
      ...{ told: report?.totals.reversals, stored: stored?.totals.reversals },
    },
    ...(stored === undefined || stored.refundCount === 0
      ? []
      : [{ label: t("report.refunded"), stored: stored.totals.refunds }]),
  ];
}

function vatRows(report: Report | undefined, stored: Stored | undefined, groups: VatGroups): Row[] {
  const told = new Map((report?.vat ?? []).map(({ group, turnover }) => [group, turnover]));
  const booked = new Map((stored?.vat ?? []).map(({ group, turnover }) => [group, turnover]));
  return rowsOf(told, booked, {
    nameOf: groups.nameOf,
    isTold: (report?.vat ?? null) !== null,
    isStored: stored !== undefined,
  });
}

function paymentRows(report: Report | undefined, stored: Stored | undefined, t: Translate): Row[] {
  const told = new Map<string, number>(
    (report?.payments ?? []).map(({ method, amount }) => [method, amount]),
  );
  const booked = new Map<string, number>(
    (stored?.payments ?? []).map(({ method, amount }) => [method, amount]),
  );
  const nameOf = (method: string) => (isTender(method) ? t(`payment.${method}`) : method);
  return rowsOf(told, booked, {
    nameOf,
    isTold: (report?.payments ?? null) !== null,
    isStored: stored !== undefined,
  });
}

interface Naming {
  readonly nameOf: (key: string) => string;
  /** False where the report has no such list, or there is no report. */
  readonly isTold: boolean;
  readonly isStored: boolean;
}

/** By what the report names, and by what only the receipts have. */
function rowsOf(
  told: ReadonlyMap<string, number>,
  booked: ReadonlyMap<string, number>,
  { nameOf, isTold, isStored }: Naming,
): Row[] {
  return [...new Set([...told.keys(), ...booked.keys()])].sort().map((key) => ({
    label: nameOf(key),
    // What a list leaves out is nothing; without a list nothing is known.
    told: isTold ? (told.get(key) ?? 0) : null,
    stored: isStored ? (booked.get(key) ?? 0) : undefined,
    isLoose: true,
  }));
}

function cashRows(report: Report | undefined, t: Translate): Row[] {
  const { cashIn, cashOut, cashBalance } = report?.totals ?? {};
  return [
    { label: t("command.cash_in"), told: cashIn },
    { label: t("command.cash_out"), told: cashOut },
    { label: t("report.drawer"), told: cashBalance },
  ];
}
