/** What of a sale is asked back, in items, cents and ways to pay. */

import { describe, expect, test } from "bun:test";
import type { components } from "../../../client/index.ts";
import { centsOf, centsOfLines } from "../../parts/reversals.ts";
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
const all = ITEMS.map((item) => ({ item, quantity: item.quantity }));
const choose = (sale: Receipt, quantities: readonly number[]) =>
  chosenOf(sale, { lines: all, centsLeft: centsOf(sale.total), quantities });

describe("what goes back of a sale", () => {
  test("is rounded as on paper, line by line", () => {
    expect([centsOf(1.005), centsOf(8.2 * 3), centsOfLines(ITEMS)]).toEqual([101, 2460, 1677]);
  });

  test("is what is chosen of each line, paid back as it was paid unless somebody says otherwise", () => {
    const chosen = choose(SALE, [1, 0]);
    expect(chosen).toMatchObject({ cents: 150, isWhole: false, isLowered: false });
    expect(tendersOf(SALE, chosen)).toEqual(["card", "cash"]);
    expect(bodyOf(chosen, "refund", "card")).toEqual({
      reason: "refund",
      items: [{ ...ITEMS[0], quantity: 1 }],
      payments: [{ method: "card", amount: 1.5 }],
    } as never);
  });

  test("is left to the gateway where all of it goes back as it was paid in parts", () => {
    const payments = [
      { method: "card", amount: 10 },
      { method: "cash", amount: 6.77 },
    ] as const;
    const sale = { ...SALE, payments: [...payments] };
    const chosen = choose(sale, [2, 0.345]);
    expect(tendersOf(sale, chosen)).toEqual(["as-paid", "cash", "card"]);
    expect(bodyOf(chosen, "operator-error", "as-paid")).toEqual({ reason: "operator-error" });
    expect(tendersOf(sale, choose(sale, [1, 0]))).toEqual(["cash", "card"]);
  });

  test("has its share of a discount on the whole, and is never more than was paid", () => {
    const sale = {
      ...SALE,
      subtotalModifiers: [{ type: "discount-amount", value: 1.77 }] as const,
      total: 15,
    } as unknown as Receipt;
    const chosen = choose(sale, [2, 0.345]);
    expect(chosen.isLowered).toBe(true);
    expect(chosen.items.map(({ price }) => price)).toEqual([1.34, 35.68]);
    expect(chosen.cents).toBeLessThanOrEqual(1500);
    expect(chosen.cents).toBe(centsOfLines(chosen.items));
    expect(tendersOf(sale, chosen)).toEqual(["card", "cash"]);
  });
});
