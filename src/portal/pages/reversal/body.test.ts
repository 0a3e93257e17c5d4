/** What of a sale is asked back, in lines, cents and ways to pay. */

import { describe, expect, test } from "bun:test";
import type { components } from "../../../client/index.ts";
import { centsOf, centsOfLines } from "../../parts/cents.ts";
import type { LineLeft } from "../../parts/reversals.ts";
import { bodyOf, chosenOf } from "./body.ts";
import { type PaysBack, splitOf, waysBack, waysLacking } from "./paid-back.ts";

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
const CASH = { method: "cash", amount: 6.77 } as const;
const BY_CARD: PaysBack = { paid: [{ method: "card", cents: 1677 }], tenders: null };
const MIXED: PaysBack = {
  tenders: null,
  paid: [
    { method: "card", cents: 1000 },
    { method: "cash", cents: 677 },
  ],
};
const choose = (quantities: readonly number[], lines = ALL) => chosenOf(lines, quantities);

describe("what goes back of a sale", () => {
  test("is rounded as on paper, line by line", () => {
    expect([centsOf(1.005), centsOf(8.2 * 3), centsOfLines(ITEMS)]).toEqual([101, 2460, 1677]);
  });

  test("is what is chosen of each line, paid back as it was paid unless somebody says otherwise", () => {
    const chosen = choose([1, 0]);
    expect(chosen).toMatchObject({ cents: 150, isWhole: false });
    expect(waysBack(SALE, chosen, BY_CARD)).toEqual(["card", "cash"]);
    expect(bodyOf(chosen, "refund", { tender: "card", ...BY_CARD })).toEqual({
      reason: "refund",
      lines: [{ line: 0, quantity: 1 }],
      payments: [{ method: "card", amount: 1.5 }],
      expectedAmount: 1.5,
    });
  });

  test("is left to the gateway where all of it goes back as it was paid in parts", () => {
    const payments = [
      { method: "card", amount: 10 },
      { method: "cash", amount: 6.77 },
    ] as const;
    const sale = { ...SALE, payments: [...payments] };
    const chosen = choose([2, 0.345]);
    expect(waysBack(sale, chosen, MIXED)).toEqual(["as-paid", "cash"]);
    const asPaid = bodyOf(chosen, "operator-error", { tender: "as-paid", ...MIXED });
    expect(asPaid).toEqual({ reason: "operator-error", expectedAmount: 16.77 });
    expect(waysBack(sale, choose([1, 0]), MIXED)).toEqual(["cash", "card"]);
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

describe("what goes back in one way", () => {
  test("is no more than was paid so and has not gone back, and the rest is cash", () => {
    const sale = { payments: [{ method: "card", amount: 10 } as const, CASH] };
    expect(splitOf("card", 1000, MIXED.paid)).toEqual([{ method: "card", cents: 1000 }]);
    expect(splitOf("card", 1200, MIXED.paid)).toEqual([
      { method: "card", cents: 1000 },
      { method: "cash", cents: 200 },
    ]);
    const payments = [
      { method: "card", amount: 10 },
      { method: "cash", amount: 3.8 },
    ] as const;
    const chosen = { lines: [], cents: 1380, isWhole: false };
    expect(bodyOf(chosen, "refund", { tender: "card", ...MIXED }).payments).toEqual([...payments]);
    const spent = { ...MIXED, paid: [{ method: "cash", cents: 677 } as const] };
    expect(waysBack(sale, { isWhole: false }, spent)).toEqual(["cash"]);
    // A receipt may come to a cent more than its payments.
    expect(splitOf("card", 1678, BY_CARD.paid)).toEqual([{ method: "card", cents: 1678 }]);
  });

  test("is cash where its printer pays reversals back in nothing else", () => {
    const known = { ...MIXED, tenders: ["cash"] as const };
    const sale = { payments: [{ method: "card", amount: 10 } as const, CASH] };
    for (const isWhole of [true, false])
      expect(waysBack(sale, { isWhole }, known)).toEqual(["cash"]);
    expect(waysLacking(sale, known)).toEqual(["card"]);
    expect(waysLacking(sale, MIXED)).toEqual([]);
  });
});
