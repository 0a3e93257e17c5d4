import { describe, expect, test } from "bun:test";
import type { FrameReader, KeptFrame } from "#core/device/trace.ts";
import type { Line, LineListener } from "#core/driver.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { LineTrace } from "./line-trace.ts";
import { frameSaying } from "./testing/frame-saying.ts";
import { tracedLine } from "./traced-line.ts";

/** A reader that takes each piece for a frame. */
const PIECES: FrameReader = {
  read: (direction, bytes) => [piece(direction, Buffer.from(bytes).toString("latin1"))],
  rest: () => [piece("in", "half a frame")],
};

function piece(direction: "in" | "out", name: string): KeptFrame {
  const byteCount = name.length;
  return frameSaying({ direction, name, text: "", hex: "", byteCount, isDamaged: false });
}

/** A line whose device answers while it is written to. */
function answeringLine(): Line & { breakOff(): void } {
  let listener: LineListener | undefined;
  return {
    write: (bytes) => listener?.data(Buffer.from(`${Buffer.from(bytes).toString("latin1")}!`)),
    listen: (next) => {
      listener = next;
    },
    close: () => {},
    breakOff: () => listener?.closed(new Error("pulled")),
  };
}

function setUp(openReader: () => FrameReader | undefined) {
  const lines: string[] = [];
  const clock = new FakeClock();
  const log = createLog({ level: "debug", clock, sink: { write: (line) => lines.push(line) } });
  const trace = new LineTrace(clock);
  const below = answeringLine();
  const line = tracedLine(below, { trace, openReader, log });
  const heard: string[] = [];
  line.listen({
    data: (chunk) => heard.push(Buffer.from(chunk).toString("latin1")),
    closed: (error) => heard.push(error.message),
  });
  const shown = () =>
    trace
      .entries()
      .map((entry) =>
        entry.kind === "frame"
          ? `${entry.direction} ${entry.name}`
          : `${entry.event} ${entry.text}`,
      );
  return { line, below, heard, shown, lines };
}

describe("a traced line", () => {
  test("carries everything, and notes the question before the answer", () => {
    const { line, heard, shown } = setUp(() => PIECES);
    line.write(Buffer.from("one"));
    line.write(Buffer.from("two"));
    expect(heard).toEqual(["one!", "two!"]);
    expect(shown()).toEqual(["out one", "in one!", "out two", "in two!"]);
  });

  test("tells once how it ended, with what stood unfinished", () => {
    const broken = setUp(() => PIECES);
    broken.below.breakOff();
    broken.line.close();
    expect(broken.heard).toEqual(["pulled"]);
    expect(broken.shown()).toEqual(["in half a frame", "closed pulled"]);
    const closed = setUp(() => undefined);
    closed.line.close();
    expect(closed.shown()).toEqual(["closed by the gateway"]);
  });

  test("works on when there can be no reader", () => {
    const { line, heard, lines } = setUp(() => {
      throw new SyntaxError("defect");
    });
    line.write(Buffer.from("one"));
    line.close();
    expect(heard).toEqual(["one!"]);
    expect(lines.filter((text) => text.includes("line monitor failed"))).toHaveLength(1);
  });

  test("works on when its reader fails, and says so in the log once", () => {
    const failing: FrameReader = {
      read: () => {
        throw new RangeError("defect");
      },
      rest: () => [],
    };
    const { line, heard, shown, lines } = setUp(() => failing);
    line.write(Buffer.from("one"));
    line.write(Buffer.from("two"));
    expect(heard).toEqual(["one!", "two!"]);
    expect(shown()).toEqual([]);
    expect(lines.filter((text) => text.includes("line monitor failed"))).toHaveLength(1);
  });
});
