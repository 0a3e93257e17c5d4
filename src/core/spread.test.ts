import { describe, expect, test } from "bun:test";
import { spread } from "./spread.ts";

describe("an amount", () => {
  test("is spread exactly, and never beyond a weight", () => {
    let state = 7;
    const next = (bound: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % bound;
    };
    for (let round = 0; round < 500; round += 1) {
      const weights = Array.from({ length: 1 + next(6) }, () => next(9_999_999));
      const sum = weights.reduce((all, weight) => all + weight, 0);
      if (sum === 0) continue;
      const amount = next(sum) + 1;
      const parts = spread(amount, weights);
      expect(parts.reduce((all, part) => all + part, 0)).toBe(amount);
      for (const [at, part] of parts.entries()) expect(part).toBeLessThanOrEqual(weights[at] ?? 0);
    }
  });

  test("gives the cents left over to those that were cut the most", () => {
    expect(spread(100, [100, 100, 101])).toEqual([33, 33, 34]);
  });

  test("is nothing over nothing", () => {
    expect(spread(5, [0])).toEqual([0]);
    expect(spread(5, [])).toEqual([]);
  });
});
