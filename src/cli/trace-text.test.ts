import { describe, expect, test } from "bun:test";
import { rejection } from "../platform/testing/rejection.ts";
import { readLines } from "./read-lines.ts";
import { createTraceText, type ShownLine } from "./trace-text.ts";

const AT = "2026-01-15T10:00:00.123Z";
const FRAME = {
  kind: "frame",
  number: 7,
  at: AT,
  lastAt: AT,
  times: 1,
  direction: "out",
  name: "48 open sale #2Ch",
  text: '"1⇥****"',
  hex: `01${"**".repeat(40)}`,
  byteCount: 41,
  isDamaged: false,
} as const satisfies ShownLine;

/** The lines without the time, which is the machine's local one. */
function lines(shown: readonly ShownLine[], options = { hasColor: false, showsHex: false }) {
  const textOf = createTraceText(options);
  return shown
    .flatMap(textOf)
    .map((line) => line.replace(/\d\d:\d\d:\d\d\.(\d{3})/, "hh:mm:ss.$1"))
    .slice(1);
}

describe("an entry of the line monitor", () => {
  test("is a line with time, direction, name and content, under its day", () => {
    const textOf = createTraceText({ hasColor: false, showsHex: false });
    expect(textOf(FRAME)[0]).toMatch(/^-- 2026-01-1\d --$/);
    const answer = { ...FRAME, number: 8, direction: "in", name: "SYN", text: "" } as const;
    const event = { kind: "line", number: 9, at: AT, lastAt: AT, times: 1 } as const;
    expect(lines([FRAME, answer, { ...event, event: "closed", text: "pulled" }])).toEqual([
      'hh:mm:ss.123 → 48 open sale #2Ch           "1⇥****"',
      "hh:mm:ss.123 ← SYN",
      "hh:mm:ss.123 · closed pulled",
    ]);
  });

  test("shows its bytes when asked to, and when it is damaged", () => {
    const damaged = { ...FRAME, number: 8, isDamaged: true, name: "no frame", text: "" };
    expect(lines([FRAME], { hasColor: false, showsHex: true })).toHaveLength(3);
    const shown = lines([{ ...damaged, hex: "01****", byteCount: 600 }]);
    expect(shown).toEqual([
      "hh:mm:ss.123 → no frame, 600 bytes",
      "               01 ** **",
      "               … 600 bytes",
    ]);
  });

  test("neither steers the terminal nor turns the order of what is read", () => {
    const text = "\u001b[2J\u009b31m\u202e\u2066end";
    expect(lines([{ ...FRAME, name: text, text }])[0]).toMatch(/→ ·\[2J·31m··end +·\[2J·31m··end$/);
  });

  test("that repeats is told with its count, at once or when it is over", () => {
    const repeated = { ...FRAME, times: 3, lastAt: "2026-01-15T10:00:01.500Z" };
    expect(lines([repeated])[1]).toBe("               3 times, until hh:mm:ss.500");
    expect(lines([FRAME, repeated])).toEqual([
      'hh:mm:ss.123 → 48 open sale #2Ch           "1⇥****"',
      "               3 times, until hh:mm:ss.500",
    ]);
  });

  test("says how many were left out", () => {
    expect(lines([FRAME, { kind: "dropped", count: 12 }])[1]).toContain("12 entries left out");
  });

  test("cannot steer the terminal", () => {
    const evil = { ...FRAME, name: "\u001b[2Jname", text: "\u0007\u009btext" };
    expect(lines([evil]).join("")).not.toMatch(/\p{Cc}/u);
    expect(lines([FRAME], { hasColor: true, showsHex: false })[0]).toContain("\u001b[36m→");
  });
});

describe("the lines of an answer", () => {
  const bodyOf = (pieces: readonly string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(Buffer.from(piece, "latin1"));
        controller.close();
      },
    });

  test("are put together from whatever pieces come, empty ones left out", async () => {
    const euro = Buffer.from('"€"').toString("latin1");
    const pieces = ["1\n\n", euro.slice(0, 2), `${euro.slice(2)}\n`, '{"a"', ":2}\n"];
    const found: string[] = [];
    for await (const line of readLines(bodyOf(pieces))) found.push(line);
    expect(found).toEqual(["1", '"€"', '{"a":2}']);
  });

  test("end where one has no end", async () => {
    const endless = bodyOf(Array(20).fill("x".repeat(100_000)));
    const read = async () => {
      for await (const line of readLines(endless)) expect(line).toBe("never");
    };
    expect((await rejection(read())).message).toContain("without end");
  });
});
