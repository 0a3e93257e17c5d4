/** Exact sums of stored receipts: integers of minor units. */

import { groupWorths } from "#core/line-worth.ts";
import { RECEIPT_TYPES, type ReceiptType, type StoredReceipt } from "#core/receipt-record.ts";

/** Number and worth of receipts by their type. */
export interface Tally {
  readonly count: Record<ReceiptType, number>;
  /** Magnitudes in minor units. */
  readonly minor: Record<ReceiptType, number>;
}

/** What receipts come to, as a whole and by VAT group and tender. */
export interface ReceiptSums {
  readonly total: Tally;
  readonly vat: Map<string, Tally>;
  readonly payments: Map<string, Tally>;
}

export function emptyTally(): Tally {
  return { count: { sale: 0, refund: 0, storno: 0 }, minor: { sale: 0, refund: 0, storno: 0 } };
}

export function emptySums(): ReceiptSums {
  return { total: emptyTally(), vat: new Map(), payments: new Map() };
}

/** Adds one receipt's part. @throws RangeError when the sum is no longer exact */
export function addTo(tally: Tally, type: ReceiptType, minor: number): void {
  tally.count[type] += 1;
  tally.minor[type] = exactSum(tally.minor[type], minor);
}

/** Adds one receipt. */
export function addReceipt({ total, vat, payments }: ReceiptSums, receipt: StoredReceipt): void {
  const { type } = receipt;
  addTo(total, type, receipt.totalMinor);
  for (const [group, minor] of turnoverByGroup(receipt)) addTo(tallyOf(vat, group), type, minor);
  for (const [method, minor] of paidByMethod(receipt)) {
    addTo(tallyOf(payments, method), type, minor);
  }
}

/** Adds the sums of one part to those of the whole. */
export function addSums(whole: ReceiptSums, part: ReceiptSums): void {
  addTally(whole.total, part.total);
  for (const [group, tally] of part.vat) addTally(tallyOf(whole.vat, group), tally);
  for (const [method, tally] of part.payments) addTally(tallyOf(whole.payments, method), tally);
}

/** What a receipt adds to the turnover of each VAT group; all of it comes to the receipt's total. */
export function turnoverByGroup({
  items,
  subtotalModifiers,
}: Pick<StoredReceipt, "items" | "subtotalModifiers">): ReadonlyMap<string, number> {
  return groupWorths(items, subtotalModifiers);
}

/** What was paid by each tender. */
export function paidByMethod({ payments }: Pick<StoredReceipt, "payments">): Map<string, number> {
  const methods = new Map<string, number>();
  for (const { method, amountMinor } of payments) increase(methods, method, amountMinor);
  return methods;
}

/** The tally of a name, which begins with nothing. */
export function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const known = tallies.get(name);
  if (known) return known;
  const tally = emptyTally();
  tallies.set(name, tally);
  return tally;
}

function addTally(whole: Tally, part: Tally): void {
  for (const type of RECEIPT_TYPES) {
    whole.count[type] += part.count[type];
    whole.minor[type] = exactSum(whole.minor[type], part.minor[type]);
  }
}

function increase(sums: Map<string, number>, name: string, minor: number): void {
  sums.set(name, exactSum(sums.get(name) ?? 0, minor));
}

function exactSum(one: number, other: number): number {
  const sum = one + other;
  if (!Number.isSafeInteger(sum)) throw new RangeError("a sum of receipts is beyond 2^53 units");
  return sum;
}
