/** The registers that a finished receipt counts in. */

import type { Books, DayTotals, DepartmentTotals, OperatorTotals } from "./books.ts";
import type { ReceiptRecord } from "./receipt.ts";
import { sumOf } from "./reckoning.ts";

export const NO_OPERATOR_TOTALS: OperatorTotals = { receipts: 0, salesMinor: 0, stornosMinor: 0 };
const TOTAL_KINDS = ["sale", "operator-error", "refund", "tax-base-reduction"] as const;

/** Counts a receipt in the day, the cash, its operator and its departments. */
export function countReceipt(books: Books, record: ReceiptRecord): void {
  const { day } = books;
  const isSale = record.kind === "sale";
  const turnover = isSale ? day.sales : day.stornos;
  const payments = isSale ? day.salePayments : day.stornoPayments;
  for (const [index, amount] of record.groups.entries()) {
    turnover[index] = (turnover[index] ?? 0) + amount;
  }
  if (isSale) day.saleCount += 1;
  else day.stornoCount += 1;
  for (const part of record.parts) {
    if (part.part === "payment") {
      const kept = part.amountMinor - part.changeMinor;
      payments[part.tender] = (payments[part.tender] ?? 0) + kept;
      // Change is always given in cash, whatever was paid with.
      const cash = (part.tender === "cash" ? part.amountMinor : 0) - part.changeMinor;
      books.cashMinor += isSale ? cash : -cash;
    } else if (part.part === "sale") {
      countAdjustment(day, part.adjustmentMinor);
      if (part.priceMinor < 0) {
        day.voidCount += 1;
        day.voidMinor -= part.totalMinor;
      }
    } else if (part.part === "adjustment") {
      countAdjustment(day, part.amountMinor);
    } else if (part.part === "subtotal") {
      countAdjustment(day, sumOf(part.adjustments));
    }
  }
  countOperator(books, record);
  countDepartments(day, record);
  books.turnoverMinor += isSale ? record.totalMinor : -record.totalMinor;
}

function countOperator(books: Books, { operator, kind, totalMinor }: ReceiptRecord): void {
  const before = books.operatorTotals?.[operator] ?? NO_OPERATOR_TOTALS;
  const isSale = kind === "sale";
  books.operatorTotals = {
    ...books.operatorTotals,
    [operator]: {
      receipts: before.receipts + 1,
      salesMinor: before.salesMinor + (isSale ? totalMinor : 0),
      stornosMinor: before.stornosMinor + (isSale ? 0 : totalMinor),
    },
  };
}

function countAdjustment(day: DayTotals, amountMinor: number): void {
  if (amountMinor < 0) {
    day.discountCount += 1;
    day.discountMinor -= amountMinor;
  } else if (amountMinor > 0) {
    day.surchargeCount += 1;
    day.surchargeMinor += amountMinor;
  }
}

function countDepartments(day: DayTotals, receipt: ReceiptRecord): void {
  const departments = { ...day.departments };
  for (const [number, totals] of departmentsOf(receipt)) {
    departments[number] = addTotals(departments[number] ?? {}, totals);
  }
  day.departments = departments;
}

/** What each department has on a receipt; lines without one are under 0. */
export function departmentsOf(
  receipt: Pick<ReceiptRecord, "kind" | "reason" | "parts">,
): ReadonlyMap<number, DepartmentTotals> {
  const found = new Map<number, DepartmentTotals>();
  const kind = receipt.kind === "sale" ? "sale" : (receipt.reason ?? "refund");
  for (const part of receipt.parts) {
    if (part.part !== "sale") continue;
    const number = part.department ?? 0;
    const line = { count: part.priceMinor < 0 ? -1 : 1, amountMinor: part.totalMinor };
    found.set(number, addTotals(found.get(number) ?? {}, { [kind]: line }));
  }
  return found;
}

function addTotals(before: DepartmentTotals, more: DepartmentTotals): DepartmentTotals {
  const sum = { ...before };
  for (const kind of TOTAL_KINDS) {
    const [one, other] = [before[kind], more[kind]];
    if (!other) continue;
    sum[kind] = {
      count: (one?.count ?? 0) + other.count,
      amountMinor: (one?.amountMinor ?? 0) + other.amountMinor,
    };
  }
  return sum;
}
