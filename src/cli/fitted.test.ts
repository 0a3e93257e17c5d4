import { describe, expect, test } from "bun:test";
import { fittedTable, folded, outputColumns } from "./fitted.ts";

const COLUMNS = [
  { heading: "ID", cell: (row: string[]) => row[0] ?? null, isWhole: true },
  { heading: "NAME", cell: (row: string[]) => row[1] ?? null },
  { heading: "WHY", cell: (row: string[]) => row[2] ?? null },
] as const;

test("the output is as wide as COLUMNS says, also in a pipe", () => {
  const before = process.env.COLUMNS;
  process.env.COLUMNS = "60";
  expect(outputColumns()).toBe(60);
  process.env.COLUMNS = "7";
  expect(outputColumns()).toBe(40);
  if (before === undefined) delete process.env.COLUMNS;
  else process.env.COLUMNS = before;
});

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

  test("is brief, and leaves out what can be spared, before it is too wide", () => {
    const columns = [
      { heading: "ID", cell: () => "cmd_1", isWhole: true },
      {
        heading: "TYPE",
        cell: () => "print_receipt",
        brief: { heading: "T", cell: () => "receipt" },
      },
      { heading: "SUM", cell: () => "1234.50", isWhole: true, spare: 1 },
      { heading: "SALE", cell: () => "DT000600-0001", isWhole: true, spare: 2 },
    ] as const;
    const row = (width: number) => fittedTable([0], columns, width)[1];
    expect(row(44)).toBe("cmd_1  print_receipt  1234.50  DT000600-0001");
    expect(row(43)).toBe("cmd_1  receipt  1234.50  DT000600-0001");
    expect(row(35)).toBe("cmd_1  receipt  1234.50");
    expect(row(22)).toBe("cmd_1  recei…  1234.50");
    expect(row(21)).toBe("cmd_1  receipt");
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
