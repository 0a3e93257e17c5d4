import { describe, expect, test } from "bun:test";
import { percentOfMinor, spreadMinor, sumOf, taxMinor } from "./reckoning.ts";

describe("tax within a price", () => {
  test.each([
    [1200, 2000, 200],
    [1250, 2000, 208],
    [1, 2000, 0],
    [3, 2000, 1],
    [1000, 0, 0],
    [119, 1900, 19],
    [-1250, 2000, -208],
    [9_999_999_999, 9_999, 4_999_749_987],
  ])("of %d at %d is %d", (turnover, rate, tax) => {
    expect(taxMinor(turnover, rate)).toBe(tax);
  });
});

describe("percentages", () => {
  test.each([
    [1005, -5000, -503],
    [1005, 5000, 503],
    [100, 1, 0],
    [5000, 1, 1],
    [-1000, 1000, -100],
  ])("of %d: %d hundredths are %d", (amount, basisPoints, share) => {
    expect(percentOfMinor(amount, basisPoints)).toBe(share);
  });
});

describe("spreading an amount over VAT groups", () => {
  test.each([
    [-100, [1000, 2000, 0, 0, 0, 0, 0, 0]],
    [-1, [333, 333, 334, 0, 0, 0, 0, 0]],
    [7, [1, 1, 1, 1, 1, 1, 1, 1]],
    [-2997, [999, 999, 999, 0, 0, 0, 0, 0]],
    [12_345, [9_999_999_999, 1, 0, 0, 0, 0, 0, 0]],
  ])("%d adds up and leaves empty groups alone", (amount, groups) => {
    const shares = spreadMinor(amount, groups);
    expect(sumOf(shares)).toBe(amount);
    for (const [index, held] of groups.entries()) if (held === 0) expect(shares[index]).toBe(0);
  });

  test("has nothing to spread over when nothing is sold", () => {
    expect(sumOf(spreadMinor(-100, [0, 0, 0, 0, 0, 0, 0, 0]))).toBe(0);
  });
});
