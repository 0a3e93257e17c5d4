/**
 * Command 65: what the day has come to so far, in each dialect's own words.
 * Sources: Datecs FP-700X protocol manual 2.02 (X), FP-800/FP-2000 protocol manual 1.00BG (P),
 * DP-25/DP-35 protocol manual 2.04BG (C), and those named in `makers.ts`.
 */

import { formatMinor } from "#core/money.ts";
import type { DayTotals, VatGroup } from "../../simulator/books/books.ts";
import type { Amounts, Tender } from "../../simulator/books/receipt.ts";
import { sumOf, taxMinor } from "../../simulator/books/reckoning.ts";
import { type DeviceCommand, refused } from "./device-command.ts";
import { tabbedFields } from "./fields.ts";
import { money, ok } from "./long-answer.ts";
import { digits, signedDigits } from "./short-answer.ts";

/** Amounts are 12 characters with their sign, counts 4. */
const AMOUNT_DIGITS = 11;
const COUNT_DIGITS = 4;

function taxes(turnover: Amounts, vat: readonly VatGroup[]): number[] {
  return turnover.map((amount, index) => taxMinor(amount, vat[index]?.rateBasisPoints ?? 0));
}

/** X: `Type`, 0 turnover and 1 tax of sales, 2 and 3 the same of stornos; the coming Z number. */
export function daySumsLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 1, most: 1 });
  const type = fields.text(0) === "" ? 0 : fields.integer(0, { least: 0, most: 3 });
  const { books, model } = command;
  const turnover = type < 2 ? books.day.sales : books.day.stornos;
  const sums = type % 2 === 0 ? turnover : taxes(turnover, books.vat);
  return ok(books.zNumber + 1, ...money(sums.slice(0, model.groups.length)));
}

/** P and ED: `[0]` turnover, `1` tax. */
export function daySumsShort(command: DeviceCommand): string {
  const match = /^([01]?)$/.exec(command.text);
  if (!match) throw refused("syntax");
  const { day, vat } = command.books;
  return amounts(match[1] === "1" ? taxes(day.sales, vat) : day.sales);
}

/** C: besides those 2 to 4 counters and sums of the day, 5 to 7 the same of stornos. */
export function daySumsC(command: DeviceCommand): string {
  const match = /^([0-7]?)$/.exec(command.text);
  if (!match) throw refused("syntax");
  const { day, vat } = command.books;
  switch (match[1]) {
    case "1":
      return amounts(taxes(day.sales, vat));
    case "2":
      return countersOf(day);
    case "3":
      return cashOf(day);
    case "4":
      return amounts(tendersOf(command, day.salePayments));
    case "5":
      return amounts(day.stornos);
    case "6":
      return amounts(taxes(day.stornos, vat));
    case "7":
      return amounts([
        ...tendersOf(command, day.stornoPayments),
        0,
        sumOf(Object.values(day.stornoPayments)),
      ]);
    default:
      return amounts(day.sales);
  }
}

function amounts(sums: Amounts): string {
  return sums.map((sum) => signedDigits(sum, AMOUNT_DIGITS)).join(",");
}

function counted(amountMinor: number, count: number): string[] {
  return [signedDigits(amountMinor, AMOUNT_DIGITS), digits(count, COUNT_DIGITS)];
}

/** Customers and sales, then surcharges, discounts, voids and cancelled receipts. */
function countersOf(day: DayTotals): string {
  return [
    digits(day.saleCount, COUNT_DIGITS),
    signedDigits(sumOf(day.sales), AMOUNT_DIGITS),
    ...counted(day.surchargeMinor, day.surchargeCount),
    ...counted(day.discountMinor, day.discountCount),
    ...counted(day.voidMinor, day.voidCount),
    ...counted(day.cancelledMinor, day.cancelledCount),
  ].join(",");
}

/** Paid in the other currency and in this one, then cash in and out, then both in the other. */
function cashOf(day: DayTotals): string {
  return [
    signedDigits(0, AMOUNT_DIGITS),
    signedDigits(sumOf(Object.values(day.salePayments)), AMOUNT_DIGITS),
    ...counted(day.cashInMinor, day.cashInCount),
    ...counted(day.cashOutMinor, day.cashOutCount),
    ...counted(0, 0),
    ...counted(0, 0),
  ].join(",");
}

/** Sums of the model's tenders, in its order. */
export function tendersOf(
  { model }: DeviceCommand,
  sums: Readonly<Record<Tender, number>>,
): number[] {
  return Object.values(model.tenders).map((tender) => sums[tender] ?? 0);
}

/** DY: sales and stornos of each group, `T` with tax, `N` or nothing without. */
export function daySumsDy(command: DeviceCommand): string {
  const match = /^([TN]?)$/.exec(command.text);
  if (!match) throw refused("syntax");
  const { day, vat } = command.books;
  const sums = [day.sales, day.stornos].flatMap((turnover) =>
    match[1] === "T" ? turnover : withoutTax(turnover, vat),
  );
  return sums.map(formatMinor).join(",");
}

/** IN: what is not taxed, which is nothing in Bulgaria, and sales of each group without tax. */
export function daySumsIn(command: DeviceCommand): string {
  command.expectNoData();
  const { day, vat } = command.books;
  return [0, ...withoutTax(day.sales, vat)].map(formatMinor).join(",");
}

function withoutTax(turnover: Amounts, vat: readonly VatGroup[]): number[] {
  const tax = taxes(turnover, vat);
  return turnover.map((amount, index) => amount - (tax[index] ?? 0));
}
