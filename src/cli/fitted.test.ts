import { describe, expect, test } from "bun:test";
import { fittedTable, folded } from "./fitted.ts";

const COLUMNS = [
  { heading: "ID", cell: (row: string[]) => row[0] ?? null, isWhole: true },
  { heading: "NAME", cell: (row: string[]) => row[1] ?? null },
  { heading: "WHY", cell: (row: string[]) => row[2] ?? null },
] as const;

describe("a table", () => {
  test("is as wide as its cells where they fit", () => {
    expect(fittedTable([["a1", "Bar"]], COLUMNS, 80)).toEqual(["ID  NAME  WHY", "a1  Bar   -"]);
  });

  test("cuts its widest cells, and never what is to be pasted", () => {
    const id = "cmd_0123456789";
    const lines = fittedTable(
      [[id, "Counter at the door", "out of paper since noon"]],
      COLUMNS,
      40,
    );
    expect(lines[1]).toBe(`${id}  Counter at…  out of pap…`);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
    const narrow = fittedTable([[id, "Counter", "out of paper"]], COLUMNS, 10);
    expect(narrow[1]).toBe(`${id}  Count…  out o…`);
  });

  test("shows nothing that steers a terminal", () => {
    expect(fittedTable([["a", "\u001b[2J\u202e"]], COLUMNS, 80)[1]).toBe("a   ·[2J·  -");
  });
});

describe("a sentence", () => {
  test("is folded at its spaces, below where it begins", () => {
    expect(folded("- Bar: ", "the paper has run out", 18)).toEqual([
      "- Bar: the paper",
      "       has run out",
    ]);
  });

  test("keeps a word whole that is longer than the line", () => {
    expect(folded("  ", "see http://printer.shop.example/ now", 12)).toEqual([
      "  see",
      "  http://printer.shop.example/",
      "  now",
    ]);
  });
});
