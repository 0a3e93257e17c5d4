import { describe, expect, test } from "bun:test";
import { linesWorth, lineWorths } from "./line-worth.ts";
import type { ReceiptItem, ReversalReason } from "./receipt.ts";
import {
  type CountedDocument,
  itemsOfParts,
  type Left,
  leftOf,
  reversibleLines,
} from "./receipt-left.ts";
import { documentTotalMinor } from "./receipt-total.ts";
import { excessOf } from "./reversal-fault.ts";
import { isVatGroup } from "./vat.ts";

function inGroup(vatGroup: string) {
  if (!isVatGroup(vatGroup)) throw new RangeError(vatGroup);
  return (name: string, quantityMilli: number, priceMinor: number): ReceiptItem => ({
    ...{ name, quantityMilli, priceMinor, vatGroup },
    ...{ department: undefined, unit: undefined },
  });
}
const item = inGroup("VAT1");
const inSecond = inGroup("VAT2");
const document = (...items: ReceiptItem[]): CountedDocument => ({ items });
/** Two lines of one item, and a third. */
const SALE = document(
  item("Bread", 1_000, 100),
  item("Milk", 2_000, 200),
  item("Bread", 2_000, 100),
);
/** Quantity and money that each line has left. */
const shown = ({ lines }: Left) =>
  lines.map(({ quantityMilli, amountMinor }) => [quantityMilli, amountMinor]);
/** Takes parts of one line, one after the other. @returns what each came to */
function inParts(sale: CountedDocument, parts: readonly number[], at = 0): number[] {
  const reversed: CountedDocument[] = [];
  return parts.map((quantityMilli) => {
    const left = leftOf(sale, reversed);
    const line = left.lines[at];
    if (line === undefined) throw new RangeError(String(at));
    const items = itemsOfParts([{ line, quantityMilli }]);
    expect(excessOf(left, { items })).toBeUndefined();
    reversed.push({ items });
    return documentTotalMinor(items);
  });
}

describe("what is left of a sale", () => {
  test("is all of it before anything was reversed", () => {
    const left = leftOf(SALE, []);
    expect([shown(left), left.amountMinor]).toEqual([
      [
        [1_000, 100],
        [2_000, 400],
        [2_000, 200],
      ],
      700,
    ]);
  });

  test("lacks what was reversed, line after line", () => {
    const left = leftOf(SALE, [document(item("Bread", 2_000, 100))]);
    expect(shown(left)).toEqual([
      [0, 0],
      [2_000, 400],
      [1_000, 100],
    ]);
    expect(reversibleLines(left).map(({ at }) => at)).toEqual([1, 2]);
  });

  test("lacks goods that came back at a lower price, first of the line with the nearest", () => {
    const sale = document(item("Bread", 1_000, 200), item("Bread", 1_000, 100));
    const left = leftOf(sale, [document(item("Bread", 1_000, 90))]);
    expect(shown(left)).toEqual([
      [1_000, 200],
      [0, 10],
    ]);
  });

  test("lacks the money alone where the price was lowered afterwards", () => {
    const reason: ReversalReason = "tax-base-reduction";
    const lowered = leftOf(SALE, [{ items: [item("Milk", 2_000, 50)], reason }]);
    expect(lowered.lines[1]).toMatchObject({ quantityMilli: 2_000, amountMinor: 300 });
    const other = leftOf(SALE, [{ items: [item("Off", 1_000, 70)], reason }]);
    expect([other.amountMinor, other.lines.map(({ quantityMilli }) => quantityMilli)]).toEqual([
      630,
      [1_000, 2_000, 2_000],
    ]);
  });

  test("is nothing where more was reversed than sold, and less of the others", () => {
    expect(leftOf(SALE, [SALE, SALE])).toMatchObject({ amountMinor: 0 });
    const sale = document(item("Figs", 1_000, 499), inSecond("Dates", 1_000, 499));
    const half = document(item("Figs", 500, 499));
    const left = leftOf(sale, [half, half]);
    expect(shown(left)).toEqual([
      [0, 0],
      [1_000, 498],
    ]);
  });
});

describe("a part of a line comes to its share, and the last to the rest", () => {
  const cheese = document(item("Cheese", 3_500, 499));
  test.each([
    ["halves", document(item("Nuts", 1_000, 499)), [500, 500], [250, 249]],
    ["many", cheese, [1_500, 500, 500, 500, 500], [749, 250, 249, 250, 249]],
    ["thirds", document(item("Tea", 1_000, 100)), [333, 333, 334], [33, 33, 34]],
    ["the rest of several", cheese, [500, 500, 2_500], [250, 250, 1_247]],
  ] as const)("%s", (...[, sale, parts, worth]) => {
    expect(inParts(sale, parts)).toEqual([...worth]);
  });

  test("with its part of a discount or a surcharge on the whole", () => {
    const items = [item("Milk", 10_000, 120), inSecond("Tea", 1_000, 100)];
    for (const kind of ["discount", "surcharge"] as const) {
      const sale = { items, subtotalModifiers: [{ kind, amountMinor: 67 }] };
      const [sold = 0] = lineWorths(items, sale.subtotalModifiers);
      const paid = inParts(sale, [3_000, 3_000, 3_000, 1_000]);
      expect(paid.reduce((sum, one) => sum + one)).toBe(sold);
    }
  });

  test("on lines that printers make exactly that of, at prices a cent apart", () => {
    for (const quantityMilli of [1, 7, 333, 500, 999, 1_000, 1_250, 1_500, 2_000, 7_777, 100_000]) {
      for (let amountMinor = 1; amountMinor < 3_000; amountMinor += 7) {
        const lines = linesWorth(item("Any", quantityMilli, 499), amountMinor);
        expect(documentTotalMinor(lines)).toBe(amountMinor);
        expect(lines.reduce((sum, line) => sum + line.quantityMilli, 0)).toBe(quantityMilli);
        expect(lines.every((line) => line.quantityMilli > 0)).toBe(true);
      }
    }
  });
});

describe("what is too much", () => {
  const left = leftOf(SALE, []);
  test("is neither all that is left nor a part of it", () => {
    expect(excessOf(left, SALE)).toBeUndefined();
    expect(excessOf(left, document(item("Bread", 3_000, 100)))).toBeUndefined();
  });

  test("is a thousandth more of an item, on however many lines", () => {
    const lines = [item("Bread", 2_000, 100), item("Bread", 1_001, 100)];
    expect(excessOf(left, { items: lines })).toMatchObject({
      message: expect.stringContaining('3.000 of "Bread"'),
      lines: [{ at: 0 }, { at: 2 }],
    });
  });

  test("is a cent more than a line, or than a VAT group", () => {
    const dear = document(item("Bread", 1_000, 301));
    expect(excessOf(left, dear)?.message).toContain(
      '3.01 is more than the 3.00 that is left of "B',
    );
    const own = (amount: number) => document(item("Any", 1_000, amount));
    expect(excessOf(left, own(700))).toBeUndefined();
    expect(excessOf(left, own(701))?.message).toContain(
      "7.01 is more than the 7.00 that is left of",
    );
  });

  test("is a cent more that is paid, but for what was paid over the sale", () => {
    const paid = (amountMinor: number) => ({
      ...{ items: SALE.items, payments: [{ method: "cash", amountMinor }] as const },
    });
    expect(excessOf(left, paid(701))?.message).toContain("7.01 is more than the 7.00");
    expect(excessOf(leftOf(paid(701), []), paid(701))).toBeUndefined();
  });
});
