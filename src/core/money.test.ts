import { describe, expect, test } from "bun:test";
import { formatMinor, fromMinor, lineTotalMinor, parseScaled, toMilli, toMinor } from "./money.ts";

describe("a JSON number as money", () => {
  test("is exact where a multiplication is not", () => {
    for (const [value, minor] of [
      [1.1, 110],
      [0.07, 7],
      [1.005 + 0.995, 200],
      [8.2, 820],
      [4.35, 435],
      [99_999_999.99, 9_999_999_999],
      [-3.3, -330],
      [0, 0],
      [-0, 0],
    ] as const) {
      expect(toMinor(value)).toBe(minor);
    }
  });

  test("is refused with more than two decimals", () => {
    for (const value of [1.001, 0.005, 1e-9, 1.1 + 2.2, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(toMinor(value)).toBeUndefined();
    }
  });

  test("is refused where a double is no longer exact", () => {
    expect(toMinor(1e18)).toBeUndefined();
  });

  test("goes out as it came in, for every amount of a till", () => {
    for (let minor = 0; minor < 200_000; minor += 7) {
      const value = fromMinor(minor);
      expect(toMinor(value)).toBe(minor);
      expect(toMinor(JSON.parse(JSON.stringify(value)))).toBe(minor);
    }
  });
});

test("a quantity has three decimals at most", () => {
  expect(toMilli(0.345)).toBe(345);
  expect(toMilli(1.2345)).toBeUndefined();
});

test("a line is rounded half up, also where the product passes 2^53", () => {
  expect(lineTotalMinor(3990, 345)).toBe(1377);
  expect(lineTotalMinor(1, 499)).toBe(0);
  expect(lineTotalMinor(1, 500)).toBe(1);
  expect(lineTotalMinor(-1, 500)).toBe(-1);
  expect(lineTotalMinor(9_999_999_999, 999_999_999)).toBe(9_999_999_989_000_000);
});

test("decimal text is read and written", () => {
  expect(formatMinor(-5)).toBe("-0.05");
  expect(parseScaled("12.5", 2)).toBe(1250);
  expect(parseScaled("12.505", 2)).toBeUndefined();
  expect(parseScaled("1e3", 2)).toBeUndefined();
});
