/** What the set-up of a printer makes of what is typed and chosen. */

import { describe, expect, test } from "bun:test";
import { base64Of, bitmapFile, dotsOf, sizeOnPaper } from "./logo-dots.ts";
import { centred, linesOf, tooLong } from "./texts.ts";
import { readRate, wishedRates } from "./vat-draft.ts";

/** A picture of greys in one row. */
const row = (...greys: readonly number[]) => ({
  ...{ width: greys.length, height: 1 },
  data: new Uint8ClampedArray(greys.flatMap((grey) => [grey, grey, grey, 255])),
});
const plain = { threshold: 128, isScattered: false };

describe("a logo", () => {
  test("is black where the picture is dark, and paper where it is transparent", () => {
    expect(dotsOf(row(0, 127, 128, 255), plain).black).toEqual([true, true, false, false]);
    const clear = { ...row(0), data: new Uint8ClampedArray([0, 0, 0, 0]) };
    expect(dotsOf(clear, plain).black).toEqual([false]);
  });

  test("of a photograph has as many dots as its grey is dark", () => {
    const grey = { width: 40, height: 40, data: new Uint8ClampedArray(40 * 40 * 4).fill(191) };
    for (let at = 3; at < grey.data.length; at += 4) grey.data[at] = 255;
    const { black } = dotsOf(grey, { threshold: 128, isScattered: true });
    const share = black.filter(Boolean).length / black.length;
    expect(Math.abs(share - 0.25)).toBeLessThan(0.02);
  });

  test("is a file of one bit a dot, its last row first", () => {
    const black = [true, false, false, false, true, true];
    const file = bitmapFile({ width: 3, height: 2, black });
    expect(file).toHaveLength(62 + 8);
    expect([file[62], file[66]]).toEqual([0b10000000, 0b01100000]);
    expect(base64Of(file)).toStartWith("Qk1G");
  });

  test("is as large as the printer takes it", () => {
    const wide = { width: 1_000, height: 250 };
    const rows = { maxWidth: 384, maxHeight: 80, maxBytes: null };
    expect(sizeOnPaper(wide, rows, 1)).toEqual({ width: 321, height: 80 });
    expect(sizeOnPaper(wide, rows, 0.5)).toEqual({ width: 192, height: 48 });
    const small = { maxWidth: null, maxHeight: null, maxBytes: 1_000 };
    const { width, height } = sizeOnPaper(wide, small, 1);
    expect(Math.ceil(width / 32) * 4 * height).toBeLessThanOrEqual(938);
  });
});

describe("lines", () => {
  test("end with the last that holds something", () => {
    expect(linesOf("Shop\n\nStreet 1  \n \n")).toEqual(["Shop", "", "Street 1"]);
  });

  test("stand in the middle, and say where one is too long", () => {
    expect(centred("  ab\nabcd", 6)).toBe("  ab\n abcd");
    expect(tooLong("ab\nabcdefg", 6)).toBe(2);
    expect(tooLong("ab", 6)).toBeUndefined();
  });
});

describe("a VAT table", () => {
  test.each([
    ["20", 20],
    ["9,5", 9.5],
    [" 0.00 ", 0],
    ["", undefined],
    ["101", undefined],
    ["5.123", undefined],
  ])("reads %p as %p", (text, rate) => {
    expect(readRate(text)).toBe(rate);
  });

  test("is changed where it differs alone", () => {
    const now = [
      { group: "VAT1", rate: 0, enabled: true },
      { group: "VAT2", rate: 20, enabled: true },
    ];
    const drafts = { VAT1: { text: "0,0", enabled: true }, VAT2: { text: "21", enabled: true } };
    expect(wishedRates(now, drafts)).toEqual([{ group: "VAT2", rate: 21, enabled: true }]);
  });
});
