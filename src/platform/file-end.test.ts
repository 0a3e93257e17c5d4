import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFileEnd } from "./file-end.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-end-"));
  file = join(folder, "log");
});
afterEach(() => rmSync(folder, { recursive: true }));

const MUCH = 10_000_000;

test.each([
  ["nothing", ""],
  ["one line without its end", "last"],
  ["blank lines", "\n\n\na\n\n\n\nb\n\n\n"],
  ["lines that go over the steps", `${"x".repeat(65_530)}\n${"ăîșț".repeat(20_000)}\nc\n`],
  ["an end of a line on the edge of a step", `a\n${"x".repeat(65_535)}\n`],
  ["the same, with a blank line", `a\n\n${"x".repeat(65_535)}\n`],
  ["many", Array.from({ length: 50_000 }, (_, number) => `line ${number}`).join("\n")],
])("of %s the newest lines are those that reading it whole finds", (_, text) => {
  writeFileSync(file, text);
  const all = text.split("\n").filter((line) => line !== "");
  for (const lines of [1, 2, 3, 49_999, 60_000]) {
    const end = readFileEnd(file, { lines, bytesMax: MUCH });
    expect(end).toEqual({ lines: all.slice(-lines), isCut: false });
  }
});

test("of a file with more than may be held, half a line is never one", () => {
  writeFileSync(file, "first\nsecond\nthird\n");
  const read = (lines: number, bytesMax: number) => readFileEnd(file, { lines, bytesMax });
  expect(read(3, 19)).toEqual({ lines: ["first", "second", "third"], isCut: false });
  expect(read(3, 18)).toEqual({ lines: ["second", "third"], isCut: true });
  expect(read(2, 14)).toEqual({ lines: ["second", "third"], isCut: false });
  expect(read(2, 12)).toEqual({ lines: ["third"], isCut: true });
  expect(() => read(1, 5)).not.toThrow();
  writeFileSync(file, "a line without an end");
  expect(() => read(1, 5)).toThrow("its newest 5 bytes have no end of a line");
});
