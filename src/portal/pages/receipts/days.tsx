/** Receipts under the days that they count in, each day with what it comes to. */

import { useQueries } from "@tanstack/react-query";
import type { components } from "../../../client/index.ts";
import { boxNow } from "../../api/box-clock.ts";
import { useOrganization } from "../../api/hooks.ts";
import { type Params, read } from "../../api/queries.ts";
import { Money } from "../../parts/money.tsx";
import { instantsOf } from "../../parts/period.ts";
import { PracticeMark } from "../../parts/practice.tsx";
import { addDays, type Day, dayOf, monthAround, startOfDay } from "../../parts/shop-days.ts";
import { signedTotal } from "../../parts/signed-total.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./receipts.module.css";

type Receipt = components["schemas"]["Receipt"];
type Bucket = components["schemas"]["SummaryBucket"];
type Filter = NonNullable<Params<"/api/v1/receipts">["query"]>;

/** A line of the list. */
export type ListRow =
  /** Practice is never mixed with what counts: a day in the list is one or the other. */
  | { readonly kind: "day"; readonly day: Day; readonly simulated: boolean }
  | { readonly kind: "receipt"; readonly day: Day; readonly receipt: Receipt };

/** Pixels, as `receipts.module.css` has them. */
export const HEAD_HEIGHTS = { wide: 60, narrow: 80 } as const;

/** Puts each day before its receipts. @param receipts newest first */
export function daysIn(receipts: readonly Receipt[], timezone: string | undefined): ListRow[] {
  const rows: ListRow[] = [];
  let last: Day | undefined;
  for (const receipt of receipts) {
    const day = dayOfReceipt(receipt, timezone);
    if (day !== last) rows.push({ kind: "day", day, simulated: receipt.simulated });
    rows.push({ kind: "receipt", day, receipt });
    last = day;
  }
  return rows;
}

/** The day is asked of each receipt whenever one more comes, and calendars are slow. */
const known = new WeakMap<Receipt, { readonly timezone: string | undefined; readonly day: Day }>();

function dayOfReceipt(receipt: Receipt, timezone: string | undefined): Day {
  const before = known.get(receipt);
  if (before?.timezone === timezone && before !== undefined) return before.day;
  const day = dayOf(receipt.bookedAt, timezone);
  known.set(receipt, { timezone, day });
  return day;
}

type Kind = Receipt["type"];
const NONE: DayTotal["counts"] = { sale: 0, storno: 0, refund: 0 };

/** What a day comes to. */
export interface DayTotal {
  /** How many there are of each kind. */
  readonly counts: Readonly<Record<Kind, number>>;
  readonly amount: number;
}

interface Scope {
  readonly filter: Filter;
  /** True when no more rows are to come. */
  readonly isWhole: boolean;
}

/**
 * Sums of the days in the list: of what stands under each, once all of the day is there. Until then the
 * gateway tells what was booked on it, which is the same; of a search it knows none.
 */
export function useDayTotals(rows: readonly ListRow[], scope: Scope): Map<Day, DayTotal> {
  const { filter, isWhole } = scope;
  const { timezone, currency } = useOrganization() ?? {};
  const days = new Set(rows.map(({ day }) => day));
  const months = [...new Set([...days].map((day) => monthAround(day).from))];
  const { deviceId, simulated, type, q } = filter;
  const told = useQueries({
    queries: months.map((month) => ({
      ...read("/api/v1/reports/summary", {
        query: {
          ...periodOf(month, timezone),
          by: "day",
          ...(deviceId === undefined ? {} : { deviceId }),
          ...(simulated === undefined ? {} : { simulated }),
        },
      } as Params<"/api/v1/reports/summary">),
      enabled: q === undefined,
    })),
  });
  const here = addedUp(rows, { isWhole, currency });
  if (q !== undefined) return here;
  const buckets = told.flatMap(({ data }) => data?.buckets ?? []);
  const own = buckets.filter((bucket) => bucket.currency === currency);
  return new Map([...own.map((bucket) => [bucket.key, totalOf(bucket, type)] as const), ...here]);
}

function periodOf(month: Day, timezone: string | undefined) {
  const { from, to } = monthAround(month);
  return instantsOf({ first: from, last: addDays(to, -1) }, timezone) as {
    readonly from: string;
    readonly to: string;
  };
}

function totalOf(bucket: Bucket, type: Filter["type"]): DayTotal {
  switch (type) {
    case "sale":
      return { counts: { ...NONE, sale: bucket.receiptCount }, amount: bucket.gross };
    case "storno":
      return { counts: { ...NONE, storno: bucket.reversalCount }, amount: -bucket.reversals };
    case "refund":
      return { counts: { ...NONE, refund: bucket.refundCount }, amount: -bucket.refunds };
    default: {
      const { receiptCount: sale, reversalCount: storno, refundCount: refund, net } = bucket;
      return { counts: { sale, storno, refund }, amount: net };
    }
  }
}

interface AddedUp extends Pick<Scope, "isWhole"> {
  /** Amounts of two currencies are not added up. */
  readonly currency: string | undefined;
}

function addedUp(rows: readonly ListRow[], { isWhole, currency }: AddedUp): Map<Day, DayTotal> {
  const totals = new Map<Day, DayTotal>();
  for (const row of rows) {
    if (row.kind === "day" || row.receipt.currency !== currency) continue;
    const { type } = row.receipt;
    const { counts, amount } = totals.get(row.day) ?? { counts: NONE, amount: 0 };
    totals.set(row.day, {
      counts: { ...counts, [type]: counts[type] + 1 },
      amount: amount + signedTotal(row.receipt),
    });
  }
  const last = rows.at(-1);
  if (!isWhole && last !== undefined) totals.delete(last.day);
  return totals;
}

interface DayHeadProps {
  readonly of: Extract<ListRow, { readonly kind: "day" }>;
  readonly total?: DayTotal | undefined;
}

export function DayHead({ of: row, total }: DayHeadProps) {
  const { day } = row;
  const format = useFormat();
  const timezone = useOrganization()?.timezone;
  const noon = startOfDay(day, timezone) + 12 * 3_600_000;
  const isThisYear = day.slice(0, 4) === dayOf(boxNow(), timezone).slice(0, 4);
  return (
    <h2 className={styles.day}>
      <span className={styles.dayName}>
        <span>{isThisYear ? format.day(noon) : format.date(noon)}</span>
        <PracticeMark of={row} />
      </span>{" "}
      {total !== undefined && (
        <>
          <Counts counts={total.counts} /> <Money amount={total.amount} />
        </>
      )}
    </h2>
  );
}

/** Reversals are no receipts: Today and the reports count alike. */
function Counts({ counts: { sale, storno, refund } }: Pick<DayTotal, "counts">) {
  const { t } = useWords();
  const isNothingElse = storno + refund === 0;
  const texts = [
    ...(sale > 0 || isNothingElse ? [t("receipts.count", { count: sale })] : []),
    ...(storno > 0 ? [t("receipts.reversals", { count: storno })] : []),
    ...(refund > 0 ? [t("receipts.refunds", { count: refund })] : []),
  ];
  return <span className={styles.count}>{texts.join(", ")}</span>;
}
