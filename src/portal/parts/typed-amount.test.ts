/** Amounts and quantities mean what is written. */

import { expect, test } from "bun:test";
import { centsTyped, quantityTyped } from "./typed-amount.ts";

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
] as const)("%p is a quantity of %p", (typed, quantity) => {
  expect(quantityTyped(typed)).toBe(quantity);
});

test.each(["", ".", "1.234,5", "1,2345", "1000000", "-1", "1e3", "1 5", "two"])(
  "%p is no quantity",
  (typed) => {
    expect(quantityTyped(typed)).toBeUndefined();
  },
);
