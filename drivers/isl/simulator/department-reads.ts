/**
 * Command 88: what a department has sold.
 * Sources: Datecs FP-700X protocol manual 2.02 (X), FP-800/FP-2000 protocol manual 1.00BG (P),
 * DP-25/DP-35 protocol manual 2.04BG (C), Eltrade protocol manual 1.1.6 (ED).
 * As delivered, departments have no names, no prices and the second VAT group (Romania: the first).
 */

import { formatMilli, formatMinor } from "#core/money.ts";
import { type LineTotals, openReceiptOf } from "../../simulator/books/books.ts";
import type { StornoReason } from "../../simulator/books/receipt.ts";
import { departmentsOf } from "../../simulator/books/registers.ts";
import { printReport } from "../../simulator/books/service-rules.ts";
import { type DeviceCommand, refused } from "./device-command.ts";
import { tabbedFields } from "./fields.ts";
import { ok } from "./long-answer.ts";

type Counted = "sale" | StornoReason;

const NOTHING_SOLD: LineTotals = { count: 0, amountMinor: 0 };
const STORNO_KINDS = ["operator-error", "refund", "tax-base-reduction"] as const;
/** What C calls the reasons of stornos here, other than in its command 46. */
const C_STORNOS: Readonly<Record<string, StornoReason>> = {
  "1": "refund",
  "2": "operator-error",
  "3": "tax-base-reduction",
};
/** Sold without a department: in the books, and as C is asked for it. */
const NO_DEPARTMENT = 0;
const C_NO_DEPARTMENT = 10;

/** The VAT group that a department is programmed for as delivered. */
export function departmentGroup({ model }: DeviceCommand): number {
  return model.country === "bg" ? 2 : 1;
}

/** X: `Dept` gives group, price, sales and stornos of the day and name; without one it prints all. */
export function departmentLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 1, most: 1 });
  if (fields.text(0) === "") {
    command.carryOut(printReport(command.memory.context(), "departments"));
    return ok();
  }
  const number = fields.integer(0, { least: 1, most: command.model.departmentMax });
  const totals = command.books.day.departments?.[number] ?? {};
  const { count, amountMinor } = totals.sale ?? NOTHING_SOLD;
  const stornos = STORNO_KINDS.map((kind) => totals[kind] ?? NOTHING_SOLD);
  return ok(
    command.model.groups[departmentGroup(command) - 1] ?? "",
    formatMinor(0),
    count,
    formatMinor(amountMinor),
    stornos.reduce((sum, storno) => sum + storno.count, 0),
    formatMinor(stornos.reduce((sum, storno) => sum + storno.amountMinor, 0)),
    "",
  );
}

/** P and ED: `Dept`, 0 for what was sold without one. */
export function departmentShort(command: DeviceCommand): string {
  const number = Number(/^\d{1,4}$/.exec(command.text)?.[0] ?? Number.NaN);
  if (!(number <= command.model.departmentMax)) throw refused("syntax");
  return about(command, { number, kind: "sale", count: String });
}

/** C: `Dept[,Storno]`, 10 for what was sold without one; it writes counts with three decimals. */
export function departmentC(command: DeviceCommand): string {
  const match = /^(\d{1,2})(?:,([123]))?$/.exec(command.text);
  const asked = Number(match?.[1]);
  if (!match || asked < 1 || asked > C_NO_DEPARTMENT) throw refused("syntax");
  return about(command, {
    number: asked === C_NO_DEPARTMENT ? NO_DEPARTMENT : asked,
    kind: C_STORNOS[match[2] ?? ""] ?? "sale",
    count: (value) => formatMilli(value * 1_000),
  });
}

/** `PGroup,` and count and sum in the open or last receipt, the same of the day, two lines of name. */
function about(
  command: DeviceCommand,
  asked: {
    readonly number: number;
    readonly kind: Counted;
    readonly count: (value: number) => string;
  },
): string {
  const { books, model } = command;
  const { number, kind, count } = asked;
  const open = openReceiptOf(books);
  const receipt = open ? { ...open.head, parts: open.parts } : books.receipts.last();
  const inReceipt = receipt && departmentsOf(receipt).get(number)?.[kind];
  const inDay = books.day.departments?.[number]?.[kind];
  const sums = [inReceipt ?? NOTHING_SOLD, inDay ?? NOTHING_SOLD].flatMap((totals) => [
    count(totals.count),
    formatMinor(totals.amountMinor),
  ]);
  const group = number === NO_DEPARTMENT ? "" : model.groups[departmentGroup(command) - 1];
  return `P${[group, ...sums, "\n"].join(",")}`;
}
