import { describe, expect, test } from "bun:test";
import { pictureOf } from "./dots.ts";
import type { PaperLine } from "./line.ts";
import { Sheet } from "./sheet.ts";
import { colouredPaper, plainPaper, type TerminalPaper } from "./terminal.ts";

const COLUMNS = 20;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that set colours.
const SEQUENCE = /\u001b\[[0-9;]*m/g;

function lines(draw: (sheet: Sheet) => void): readonly PaperLine[] {
  const sheet = new Sheet(COLUMNS);
  draw(sheet);
  return sheet.lines;
}

/** What a person sees of the lines, less the edges of the paper and blanks beside the text. */
function shown(draw: (sheet: Sheet) => void, paper: TerminalPaper): string[] {
  return lines(draw)
    .flatMap((line) => paper.line(line))
    .map((line) => line.replace(SEQUENCE, "").replaceAll("┊", "").trim());
}

describe("paper in a terminal with colours", () => {
  const paper = colouredPaper(COLUMNS);

  test("is as wide on every line, and every line ends plain", () => {
    const drawn = lines((sheet) => {
      sheet.centred({ bold: true, doubleWidth: true, doubleHeight: true }, "TITLE");
      sheet.pair("TOTAL", "12.00", { left: { bold: true }, right: { underline: true } });
      sheet.wrapped("a text of more than one line", { italic: true }, "right");
      sheet.rule("- ");
      sheet.fiscalMark("BG", "FISCAL");
      sheet.picture(pictureOf(21, 21, (x, y) => (x + y) % 2 === 0));
      sheet.code("0123", "interleaved", 3);
      sheet.code("https://shop.example", "qr", 4);
    }).flatMap((line) => paper.line(line));
    expect(new Set(drawn.map((line) => line.replace(SEQUENCE, "").length))).toEqual(
      new Set([COLUMNS + 6]),
    );
    for (const line of drawn) expect(line).toEndWith("\u001b[0m");
  });

  test("shows bold, wide and high characters", () => {
    const [title = "", below = ""] = lines((sheet) =>
      sheet.centred({ bold: true, doubleWidth: true, doubleHeight: true }, "AB"),
    ).flatMap((line) => paper.line(line));
    expect(title).toContain("\u001b[1mA B ");
    expect(below.replace(SEQUENCE, "").replaceAll("┊", "").trim()).toBe("");
  });

  test("shows a code spot by spot in half blocks with white around it", () => {
    const drawn = shown((sheet) => sheet.code("a", "qr", 4), colouredPaper(25));
    // 21 modules high, two to a line.
    expect(drawn).toHaveLength(1 + 11 + 1);
    expect([drawn[0], drawn.at(-1)]).toEqual(["", ""]);
    expect(drawn[1]).toMatch(/^█▀▀▀▀▀█ .* █▀▀▀▀▀█$/);
  });

  test("leaves out a code that is wider than the paper", () => {
    expect(shown((sheet) => sheet.code("a", "qr", 4), paper)).toEqual([]);
  });

  test("shows a logo as large as on paper", () => {
    expect(shown((sheet) => sheet.picture(pictureOf(48, 24, () => true)), paper)).toEqual(["████"]);
  });
});

test("plain paper is text alone, less its pictures", () => {
  const paper = plainPaper(COLUMNS);
  const drawn = lines((sheet) => {
    sheet.centred({ bold: true }, "SHOP");
    sheet.picture(pictureOf(8, 8, () => true));
    sheet.rule();
  });
  expect([...drawn.flatMap((line) => paper.line(line)), ...paper.cut()]).toEqual([
    "        SHOP",
    "-".repeat(COLUMNS),
    "",
  ]);
});
