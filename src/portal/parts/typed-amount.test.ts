/** Amounts and quantities mean what is written. */

import { expect, test } from "bun:test";
import { createFormat } from "../words/format.ts";
import { centsTyped, marksOf, quantityTyped } from "./typed-amount.ts";

const marksIn = (locale: string) =>
  marksOf(createFormat({ locale, timezone: undefined, currency: undefined }).number);
const EN = marksIn("en-GB");

test.each([
  ["5", 500],
  ["500", 50_000],
  ["5.5", 550],
  ["5,5", 550],
  ["5,50", 550],
  ["5.", 500],
  [".5", 50],
  ["12.05", 1_205],
  ["0", 0],
  [" 7 ", 700],
  ["999999.99", 99_999_999],
] as const)("%p is %p cents", (typed, cents) => {
  expect(centsTyped(typed)).toBe(cents);
});

test.each(["", ".", ",", "1.000", "1,000", "1.000,50", "1000000", "-5", "5e3", "5 5"])(
  "%p is no amount",
  (typed) => {
    expect(centsTyped(typed)).toBeUndefined();
  },
);

test.each([
  ["1", 1],
  ["1,5", 1.5],
  ["1.5", 1.5],
  ["0,345", 0.345],
  [",5", 0.5],
  ["2.", 2],
  ["1.000", 1],
  ["01", 1],
  [" 3 ", 3],
  ["1,2", 1.2],
  ["0,250", 0.25],
] as const)("%p is a quantity of %p", (typed, quantity) => {
  expect(quantityTyped(typed, EN)).toBe(quantity);
});

test.each([
  "",
  ".",
  "1.234,5",
  "1,234.5",
  "1,2345",
  "1000000",
  "-1",
  "1e3",
  "1 5",
  "two",
  "1,234",
  "1,000",
])("%p is no quantity", (typed) => {
  expect(quantityTyped(typed, EN)).toBeUndefined();
});

test.each([
  ["ro", "1.234,5", undefined],
  ["ro", "1.234", undefined],
  ["ro", "1.000", undefined],
  ["ro", "0.345", 0.345],
  ["ro", "1,254", 1.254],
  ["ro", "1,234.5", undefined],
  ["bg", "12\u00a0345,5", undefined],
  ["bg", "12\u00a0345", undefined],
  ["bg", "1.254", 1.254],
  ["bg", "1,254", 1.254],
] as const)("in %s %p is a quantity of %p", (locale, typed, quantity) => {
  expect(quantityTyped(typed, marksIn(locale))).toBe(quantity);
});
