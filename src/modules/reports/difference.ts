/** What a Z report has that stored receipts have not: null where the device did not tell. */

import type { StoredReport } from "#core/report-record.ts";
import type { ReceiptSums } from "./sums.ts";

/** The device's figures less those of stored receipts. Amounts in minor units. */
export interface Difference {
  readonly receiptCount: number | null;
  readonly reversalCount: number | null;
  readonly grossMinor: number | null;
  readonly reversalsMinor: number | null;
  readonly turnoverMinor: ReadonlyMap<string, number> | null;
  readonly paidMinor: ReadonlyMap<string, number> | null;
}

/** Where receipts of several currencies cannot stand beside the report. */
export const NOT_COMPARED: Difference = {
  ...{ receiptCount: null, reversalCount: null, grossMinor: null, reversalsMinor: null },
  ...{ turnoverMinor: null, paidMinor: null },
};

/** Compares the receipts of a fiscal day with the Z report that closed it. */
export function differenceOf(report: StoredReport, { total, vat, payments }: ReceiptSums) {
  const { grossMinor, reversalsMinor } = report.totals;
  const turnovers = report.vat?.map(({ group, turnoverMinor }) => [group, turnoverMinor] as const);
  const paid = report.payments?.map(({ method, amountMinor }) => [method, amountMinor] as const);
  const sold = (tallies: ReceiptSums["vat"]) =>
    [...tallies].map(([name, { minor }]) => [name, -minor.sale] as const);
  return {
    receiptCount: less(report.receiptCount, total.count.sale),
    reversalCount: less(report.reversalCount, total.count.storno),
    grossMinor: less(grossMinor, total.minor.sale),
    reversalsMinor: less(reversalsMinor, total.minor.storno),
    turnoverMinor: turnovers ? sumByName([...turnovers, ...sold(vat)]) : null,
    paidMinor: paid ? sumByName([...paid, ...sold(payments)]) : null,
  } satisfies Difference;
}

/** The differences of several fiscal days together. */
export function sumOfDifferences(one: Difference, other: Difference): Difference {
  return {
    receiptCount: plus(one.receiptCount, other.receiptCount),
    reversalCount: plus(one.reversalCount, other.reversalCount),
    grossMinor: plus(one.grossMinor, other.grossMinor),
    reversalsMinor: plus(one.reversalsMinor, other.reversalsMinor),
    turnoverMinor: merged(one.turnoverMinor, other.turnoverMinor),
    paidMinor: merged(one.paidMinor, other.paidMinor),
  };
}

/**
 * True when printer and gateway agree on all that the device told of number and worth of receipts;
 * null when it told none of it. VAT groups and tenders do not count: devices share an adjustment of
 * the subtotal out among groups by rules of their own, and some book a tender under another's name.
 */
export function isBalanced(difference: Difference): boolean | null {
  const { receiptCount, reversalCount, grossMinor, reversalsMinor } = difference;
  const told = [receiptCount, reversalCount, grossMinor, reversalsMinor].filter(
    (value) => value !== null,
  );
  return told.length === 0 ? null : told.every((value) => value === 0);
}

function less(told: number | null, stored: number): number | null {
  return told === null ? null : told - stored;
}

function plus(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

function merged(one: Difference["paidMinor"], other: Difference["paidMinor"]) {
  return one === null || other === null ? null : sumByName([...one, ...other]);
}

function sumByName(parts: readonly (readonly [name: string, minor: number])[]) {
  const sums = new Map<string, number>();
  for (const [name, minor] of parts) sums.set(name, (sums.get(name) ?? 0) + minor);
  return sums;
}
