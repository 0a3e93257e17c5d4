import { describe, expect, test } from "bun:test";
import type { ReceiptItem } from "./receipt.ts";
import { countedAs, excessOf, leftOf } from "./receipt-left.ts";
import { isVatGroup } from "./vat.ts";

function inGroup(vatGroup: string) {
  if (!isVatGroup(vatGroup)) throw new RangeError(vatGroup);
  return (name: string, quantityMilli: number, priceMinor: number): ReceiptItem => ({
    ...{ name, quantityMilli, priceMinor, vatGroup },
    ...{ department: undefined, unit: undefined },
  });
}
const item = inGroup("VAT1");
const counted = (amountMinor: number, ...items: ReceiptItem[]) => ({ items, amountMinor });
/** Two lines of one item, and a third. */
const SALE = counted(
  700,
  item("Bread", 1_000, 100),
  item("Milk", 2_000, 200),
  item("Bread", 2_000, 100),
);

describe("what is left of a sale", () => {
  test("is all of it before anything was reversed", () => {
    expect(leftOf(SALE, [])).toMatchObject({ items: SALE.items, amountMinor: 700 });
  });

  test("lacks what was reversed, line after line", () => {
    const { items, amountMinor } = leftOf(SALE, [counted(200, item("Bread", 2_000, 100))]);
    expect(items.map(({ name, quantityMilli }) => [name, quantityMilli])).toEqual([
      ["Milk", 2_000],
      ["Bread", 1_000],
    ]);
    expect(amountMinor).toBe(500);
  });

  test("lacks the amount alone of what was reversed at another price, or in another VAT group", () => {
    const others = [
      counted(50, item("Bread", 1_000, 50)),
      counted(100, inGroup("VAT2")("Bread", 1_000, 100)),
    ];
    expect(leftOf(SALE, others)).toMatchObject({ items: SALE.items, amountMinor: 550 });
  });

  test("is less than nothing where more was reversed than sold", () => {
    expect(leftOf(SALE, [SALE, SALE])).toMatchObject({ items: [], amountMinor: -700 });
  });
});

describe("what is too much", () => {
  test("is neither all that is left nor a part of it", () => {
    const left = leftOf(SALE, []);
    expect(excessOf(left, SALE)).toBeUndefined();
    expect(excessOf(left, counted(300, item("Bread", 3_000, 100)))).toBeUndefined();
  });

  test("is a thousandth more of an item, on however many lines", () => {
    const lines = [item("Bread", 2_000, 100), item("Bread", 1_001, 100)];
    expect(excessOf(leftOf(SALE, []), counted(300, ...lines))).toContain('3.000 of "Bread"');
  });

  test("is a cent more than the sum, whatever it is for", () => {
    const left = leftOf(SALE, []);
    expect(excessOf(left, counted(700, item("Any", 1_000, 700)))).toBeUndefined();
    expect(excessOf(left, counted(701, item("Any", 1_000, 701)))).toContain("7.01 is more");
  });
});

test("a document counts with the larger of its lines and its payments", () => {
  const items = [item("Bread", 1_000, 100)];
  const paid = (amountMinor: number) => [{ method: "cash", amountMinor }] as const;
  expect(countedAs({ items, payments: paid(101) }).amountMinor).toBe(101);
  expect(countedAs({ items, payments: paid(99) }).amountMinor).toBe(100);
  const subtotalModifiers = [{ kind: "discount", amountMinor: 40 }] as const;
  expect(countedAs({ items, subtotalModifiers, payments: paid(60) }).amountMinor).toBe(60);
});
