/** What of a sale is asked back, in lines, cents and ways to pay. */

import { describe, expect, test } from "bun:test";
import type { components } from "../../../client/index.ts";
import { centsOf, centsOfLines, type LineLeft } from "../../parts/reversals.ts";
import { bodyOf, chosenOf, tendersOf } from "./body.ts";

type Receipt = components["schemas"]["Receipt"];

const ITEMS: Receipt["items"] = [
  { name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT2" },
  { name: "Cheese", quantity: 0.345, price: 39.9, vatGroup: "VAT2" },
];
const SALE = {
  type: "sale",
  items: ITEMS,
  subtotalModifiers: [],
  payments: [{ method: "card", amount: 16.77 }],
  total: 16.77,
} as unknown as Receipt;
const ALL: LineLeft[] = ITEMS.map((item) => {
  return { item, quantity: item.quantity, cents: centsOfLines([item]) };
});
const choose = (quantities: readonly number[], lines = ALL) => chosenOf(lines, quantities);

describe("what goes back of a sale", () => {
  test("is rounded as on paper, line by line", () => {
    expect([centsOf(1.005), centsOf(8.2 * 3), centsOfLines(ITEMS)]).toEqual([101, 2460, 1677]);
  });

  test("is what is chosen of each line, paid back as it was paid unless somebody says otherwise", () => {
    const chosen = choose([1, 0]);
    expect(chosen).toMatchObject({ cents: 150, isWhole: false });
    expect(tendersOf(SALE, chosen)).toEqual(["card", "cash"]);
    expect(bodyOf(chosen, "refund", "card")).toEqual({
      reason: "refund",
      lines: [{ line: 0, quantity: 1 }],
      payments: [{ method: "card", amount: 1.5 }],
    });
  });

  test("is left to the gateway where all of it goes back as it was paid in parts", () => {
    const payments = [
      { method: "card", amount: 10 },
      { method: "cash", amount: 6.77 },
    ] as const;
    const sale = { ...SALE, payments: [...payments] };
    const chosen = choose([2, 0.345]);
    expect(tendersOf(sale, chosen)).toEqual(["as-paid", "cash", "card"]);
    expect(bodyOf(chosen, "operator-error", "as-paid")).toEqual({ reason: "operator-error" });
    expect(tendersOf(sale, choose([1, 0]))).toEqual(["cash", "card"]);
  });

  test("is its share of what a line has left, and the rest of a line all of that", () => {
    const [bread] = ITEMS;
    if (bread === undefined) throw new Error("there is no bread");
    const half = (quantity: number, cents: number) => [{ item: bread, quantity, cents }];
    expect(choose([0.5], half(1, 499)).cents).toBe(250);
    expect(choose([0.5], half(0.5, 249)).cents).toBe(249);
    expect(choose([0.333], half(1, 933)).cents).toBe(311);
  });
});
