/** The registers that a finished receipt counts in. */

import type { Books, DayTotals, DepartmentTotals, OperatorTotals } from "./books.ts";
import type { ReceiptRecord } from "./receipt.ts";
import { sumOf } from "./reckoning.ts";

export const NO_OPERATOR_TOTALS: OperatorTotals = { receipts: 0, salesMinor: 0, stornosMinor: 0 };
export const NO_DEPARTMENT_TOTALS: DepartmentTotals = {
  sales: 0,
  salesMinor: 0,
  stornos: 0,
  stornosMinor: 0,
};

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

/** Lines without a department count under 0. */
function countDepartments(day: DayTotals, { kind, parts }: ReceiptRecord): void {
  const departments = { ...day.departments };
  for (const part of parts) {
    if (part.part !== "sale") continue;
    const number = part.department ?? 0;
    const before = departments[number] ?? NO_DEPARTMENT_TOTALS;
    const { sales, salesMinor, stornos, stornosMinor } = before;
    departments[number] =
      kind === "sale"
        ? { ...before, sales: sales + 1, salesMinor: salesMinor + part.totalMinor }
        : { ...before, stornos: stornos + 1, stornosMinor: stornosMinor + part.totalMinor };
  }
  day.departments = departments;
}
