/** What is kept of a line, looked for in it, and written into the file. */

import { describe, expect, test } from "bun:test";
import type { TraceEntry } from "../../../api/trace.ts";
import { asText, KEPT_MAX, matches, withEntries } from "./entries.ts";

const AT = "2026-11-25T08:00:00.000Z";
const frame = (number: number, change: object = {}) => ({
  ...({ kind: "frame", number, at: AT, lastAt: AT, times: 1, direction: "out" } as const),
  ...{ name: "48 open sale", text: '"1"', hex: "013030", byteCount: 3, isDamaged: false },
  ...change,
});
const closed: TraceEntry = {
  ...({ kind: "line", number: 9, at: AT, lastAt: AT, times: 1 } as const),
  ...({ event: "closed", text: "The connection was lost" } as const),
};

describe("the line of a printer", () => {
  test("is kept as far as there is room, and what repeats once", () => {
    const many = Array.from({ length: KEPT_MAX + 5 }, (_, at) => frame(at));
    const kept = withEntries(many, [frame(KEPT_MAX + 4, { times: 3 })]);
    expect(kept).toHaveLength(KEPT_MAX);
    expect(kept.at(-1)).toMatchObject({ number: KEPT_MAX + 4, times: 3 });
  });

  test.each([
    ["sale", "", true],
    ["SALE", "out", true],
    ["payment", "", false],
    ["", "in", false],
    ["", "damaged", false],
  ])("shows a frame for %p, %p: %p", (text, way, isShown) => {
    expect(matches(frame(1), { text, way })).toBe(isShown);
  });

  test("shows what became of it among the faults", () => {
    expect(matches(closed, { text: "lost", way: "damaged" })).toBe(true);
    expect(matches(closed, { text: "", way: "out" })).toBe(false);
  });

  test("is a text with the bytes below each frame", () => {
    const text = asText([frame(1, { times: 2 }), closed], () => "10:00:00.000");
    expect(text.split("\n")).toEqual([
      '10:00:00.000 → 48 open sale  "1"',
      "    x 2, 10:00:00.000",
      "    01 30 30",
      "10:00:00.000 · closed The connection was lost",
      "",
    ]);
  });
});
