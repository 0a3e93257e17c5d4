import { describe, expect, test } from "bun:test";
import { parseXml, type XmlElement } from "../testing/xml.ts";
import { bitmapRows, pictureOf, pictureOfRows, pngOf } from "./dots.ts";
import type { PaperLayout } from "./layout.ts";
import type { PaperLine } from "./line.ts";
import { Sheet } from "./sheet.ts";
import { paperSvg } from "./svg.ts";

const LAYOUT: PaperLayout = {
  columns: 24,
  groupLetters: [],
  serialNumber: "",
  fiscalMemory: "",
  taxId: "",
};

function drawn(draw: (sheet: Sheet) => void, title = "Paper"): XmlElement[] {
  const sheet = new Sheet(LAYOUT.columns);
  draw(sheet);
  return parseXml(paperSvg([{ lines: sheet.lines, isTorn: true }], LAYOUT, title));
}

function textNamed(elements: readonly XmlElement[], text: string): XmlElement {
  const found = elements.find((element) => element.name === "text" && element.text === text);
  if (!found) throw new Error(`no text ${text}`);
  return found;
}

describe("a picture of paper", () => {
  test("is well-formed XML whatever the texts hold", () => {
    const nasty = `</text><script>alert("1")</script> & ' ]]> &amp;`;
    const elements = drawn((sheet) => sheet.wrapped(nasty), nasty);
    expect(elements.some(({ name }) => name === "script")).toBe(false);
    const lines = elements.filter(({ name }) => name === "text").map(({ text }) => text);
    expect(lines.join("").replaceAll(" ", "")).toBe(nasty.replaceAll(" ", ""));
    expect(elements.find(({ name }) => name === "title")?.text).toBe(nasty);
  });

  test("shows a dot for what neither paper nor XML knows", () => {
    const elements = drawn((sheet) => sheet.wrapped("a\u0000b\u001b[2Jc\ud800d\uffff\u0085\u202e"));
    textNamed(elements, "a·b·[2Jc·d···");
  });

  test("needs nothing from elsewhere", () => {
    const elements = drawn((sheet) => sheet.picture(pictureOf(3, 3, () => true)));
    const links = elements.flatMap(({ attributes }) =>
      Object.entries(attributes).filter(([name]) => /href|src/.test(name)),
    );
    expect(links).toHaveLength(1);
    expect(links[0]?.[1]).toStartWith("data:image/png;base64,");
    expect(JSON.stringify(elements)).not.toMatch(/url\((?!#)|@import|@font-face/);
  });

  test("gives characters their looks and keeps the columns", () => {
    const elements = drawn((sheet) => {
      sheet.pair("TOTAL", "12.00", {
        left: { bold: true, doubleHeight: true },
        right: { bold: true, doubleHeight: true },
      });
      sheet.centred({ doubleWidth: true }, "WIDE");
      sheet.wrapped("slanted", { italic: true });
      sheet.wrapped("a   b", { underline: true });
    });
    const total = textNamed(elements, "TOTAL").attributes;
    expect(total).toMatchObject({ class: "b", textLength: "60" });
    expect(total.transform).toEndWith("scale(1 2)");
    // 24 columns of 12 dots in the middle of a roll of 57 mm; the amount ends at the last one.
    expect(total.transform).toStartWith("translate(84 ");
    expect(textNamed(elements, "12.00").attributes.transform).toStartWith("translate(312 ");
    // Four wide characters take eight columns, so they begin at the ninth.
    expect(textNamed(elements, "WIDE").attributes.transform).toMatch(
      /^translate\(180 .*scale\(2 1\)$/,
    );
    expect(textNamed(elements, "slanted").attributes.class).toBe("i");
    expect(textNamed(elements, "b").attributes.x).toBe("132");
    expect(elements.filter(({ attributes }) => attributes.class === "line")).toHaveLength(2);
  });

  test("is as wide as the roll that the columns need", () => {
    const widthOf = (columns: number) =>
      parseXml(paperSvg([], { ...LAYOUT, columns }, "Paper"))[0]?.attributes.viewBox?.split(" ")[2];
    expect([32, 36, 42, 48].map(widthOf)).toEqual(["496", "680", "680", "680"]);
    const narrow = parseXml(paperSvg([], { ...LAYOUT, columns: 36, printDots: 384 }, "Paper"));
    expect(narrow[0]?.attributes.viewBox?.split(" ")[2]).toBe("496");
  });

  test("draws emblem, rulers and torn edges, and no torn end on what still hangs in the printer", () => {
    const lines: PaperLine[] = [
      { kind: "fiscal_mark", letters: "BG", text: "FISCAL RECEIPT" },
      { kind: "rule", pattern: "=" },
    ];
    const outline = (isTorn: boolean) => {
      const elements = parseXml(paperSvg([{ lines, isTorn }], LAYOUT, "Paper"));
      textNamed(elements, "BG");
      textNamed(elements, "FISCAL RECEIPT");
      return elements.find(({ attributes }) => attributes.class === "paper")?.attributes.d ?? "";
    };
    expect(outline(true).split("L").length).toBeGreaterThan(1.8 * outline(false).split("L").length);
  });

  test("of thousands of lines stays in proportion to them", () => {
    const lines = (count: number) =>
      drawn((sheet) => {
        for (let line = 0; line < count; line += 1) sheet.wrapped("x".repeat(24));
      });
    expect(lines(2_000).length).toBeLessThan(2_100);
  });
});

describe("dots", () => {
  /** A bitmap file of 10 x 2 dots: the upper row black at both ends, the lower one all white. */
  function bitmapFile(options: { readonly topDown: boolean; readonly inverted: boolean }): Buffer {
    const file = Buffer.alloc(62 + 8);
    file.write("BM");
    file.writeUInt32LE(62, 10);
    file.writeUInt32LE(40, 14);
    file.writeInt32LE(10, 18);
    file.writeInt32LE(options.topDown ? -2 : 2, 22);
    file.writeUInt16LE(1, 26);
    file.writeUInt16LE(1, 28);
    file.writeUInt32LE(0xffffff, options.inverted ? 54 : 58);
    const rows = [
      [0x80, 0x40],
      [0, 0],
    ].map(([left = 0, right = 0]) =>
      options.inverted ? [left, right] : [~left & 0xff, ~right & 0xff],
    );
    const [upper = [], lower = []] = rows;
    file.set(options.topDown ? upper : lower, 62);
    file.set(options.topDown ? lower : upper, 66);
    return file;
  }

  test.each([
    ["bottom up", { topDown: false, inverted: false }],
    ["top down", { topDown: true, inverted: false }],
    ["with its colours the other way round", { topDown: false, inverted: true }],
  ])("are read from a bitmap file %s", (_, options) => {
    expect(bitmapRows(bitmapFile(options))).toEqual(["8040", "0000"]);
  });

  test("of a file that is none, or cut off, are no picture", () => {
    const file = bitmapFile({ topDown: false, inverted: false });
    expect(bitmapRows(file.subarray(0, 69))).toBeUndefined();
    expect(bitmapRows(Buffer.from("GIF89a"))).toBeUndefined();
    file.writeInt32LE(0x7fffffff, 18);
    expect(bitmapRows(file)).toBeUndefined();
    expect(pictureOfRows(["", "0000"])).toBeUndefined();
  });

  test("are trimmed of white rows at the end and written as a PNG file", () => {
    const picture = pictureOfRows(["8000", "0000", "0100", "", "00"]);
    expect(picture).toMatchObject({ width: 16, height: 3 });
    const png = pngOf(picture ?? pictureOf(0, 0, () => false), [0, 0, 0]);
    expect(Buffer.from(png.subarray(0, 8)).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
    const data = Buffer.from(png);
    const at = data.indexOf("IDAT") + 4;
    const length = data.readUInt32BE(at - 8);
    const rows = Bun.inflateSync(data.subarray(at + 2, at + length - 4));
    expect(Array.from(rows)).toEqual([0, 0x80, 0, 0, 0, 0, 0, 1, 0]);
  });
});
