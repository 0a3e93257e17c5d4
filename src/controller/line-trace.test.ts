import { describe, expect, test } from "bun:test";
import {
  type KeptFrame,
  TRACE_EVENTS_MAX,
  TRACE_FRAMES_MAX,
  type TracedFrame,
  type TraceEntry,
} from "#core/device/trace.ts";
import { FakeClock } from "../platform/clock.ts";
import { LineTrace } from "./line-trace.ts";
import { frameSaying } from "./testing/frame-saying.ts";

const clock = new FakeClock();

function words(change: Partial<TracedFrame> = {}): TracedFrame {
  return {
    direction: "in",
    name: "status",
    text: "",
    hex: "0102",
    byteCount: 2,
    isDamaged: false,
    ...change,
  };
}

function frame(change: Partial<TracedFrame> = {}): KeptFrame {
  return frameSaying(words(change));
}

const SYN = frame({ name: "SYN", hex: "16", byteCount: 1 });

const isoOf = (at: number): string => new Date(at).toISOString();

function summary(entries: readonly TraceEntry[]): string[] {
  return entries.map((entry) => {
    const what = entry.kind === "frame" ? entry.name : entry.event;
    return entry.times === 1
      ? `${entry.number} ${what}`
      : `${entry.number} ${what} x${entry.times}`;
  });
}

describe("what is kept of a line", () => {
  test("is the last frames with their times, however many pass", () => {
    const trace = new LineTrace(clock);
    for (let count = 1; count <= 3 * TRACE_FRAMES_MAX; count += 1) {
      trace.frames([frame({ name: `frame ${count}` })]);
    }
    const entries = trace.entries();
    expect(entries).toHaveLength(TRACE_FRAMES_MAX);
    expect(entries.at(-1)).toEqual({
      kind: "frame",
      number: 600,
      at: isoOf(clock.now()),
      lastAt: isoOf(clock.now()),
      times: 1,
      ...words({ name: "frame 600" }),
    });
    expect(entries[0]?.number).toBe(401);
  });

  test("keeps its frames while a device that is off is tried again and again", () => {
    const trace = new LineTrace(clock);
    trace.frames([frame({ name: "last words" })]);
    for (let count = 0; count < 10 * TRACE_EVENTS_MAX; count += 1) {
      trace.event("failed", `E100: attempt ${count}`);
    }
    expect(trace.entries()).toHaveLength(1 + TRACE_EVENTS_MAX);
    expect(summary(trace.entries())[0]).toBe("1 last words");
  });

  test("counts what only says that nothing has changed", () => {
    const trace = new LineTrace(clock);
    const startedAt = clock.now();
    for (let count = 0; count < 1_000; count += 1) {
      trace.frames([SYN]);
      clock.advance(60);
    }
    trace.frames([frame(), frame()]);
    trace.event("failed", "off");
    trace.event("failed", "off");
    trace.event("failed", "on fire");
    const entries = trace.entries();
    expect(summary(entries)).toEqual([
      "1 SYN x1000",
      "2 status",
      "3 status",
      "4 failed x2",
      "5 failed",
    ]);
    expect(entries[0]).toMatchObject({
      at: isoOf(startedAt),
      lastAt: isoOf(startedAt + 999 * 60),
    });
  });
});

describe("a frame", () => {
  test("is put into words when somebody looks, and not before", () => {
    const trace = new LineTrace(clock);
    let count = 0;
    const counting = (name: string): KeptFrame => ({
      ...frame(),
      describe: () => {
        count += 1;
        return words({ name });
      },
    });
    trace.frames([counting("one"), counting("two")]);
    trace.event("closed", "by the gateway");
    expect(count).toBe(0);
    expect(summary(trace.entries())).toEqual(["1 one", "2 two", "3 closed"]);
    expect(count).toBe(2);
    const heard: TraceEntry[] = [];
    for (let follower = 1; follower <= 3; follower += 1) {
      trace.follow({ entry: (entry) => heard.push(entry), ended: () => {} });
    }
    trace.frames([counting("three")]);
    expect([summary(heard), count]).toEqual([["4 three", "4 three", "4 three"], 3]);
  });

  test("that has no words does not hide the others, or end what it passes on", () => {
    const trace = new LineTrace(clock);
    const describe = (): TracedFrame => {
      throw new RangeError("defect");
    };
    trace.frames([frame(), { ...frame(), describe }, frame()]);
    expect(summary(trace.entries())).toEqual(["1 status", "2 cannot be explained", "3 status"]);
    expect(trace.entries()[1]).toMatchObject({ text: "defect", byteCount: 2 });
  });

  test("of one byte that is masked is no other frame's repeat", () => {
    const trace = new LineTrace(clock);
    const hidden = { bytes: Uint8Array.of(0), masked: [{ from: 0, to: 1 }] };
    const zero = frame({ name: "zero", hex: "00", byteCount: 1 });
    const secret = { ...frame({ name: "secret", hex: "**", byteCount: 1 }), ...hidden };
    trace.frames([zero, zero, secret, secret, zero]);
    expect(summary(trace.entries())).toEqual(["1 zero x2", "2 secret x2", "3 zero"]);
  });
});

describe("whoever follows a line", () => {
  test("hears each entry, and a run again when it is over", () => {
    const trace = new LineTrace(clock);
    const heard: TraceEntry[] = [];
    const leave = trace.follow({ entry: (entry) => heard.push(entry), ended: () => {} });
    trace.frames([SYN, SYN, SYN, frame()]);
    expect(summary(heard)).toEqual(["1 SYN", "1 SYN x3", "2 status"]);
    leave?.();
    trace.frames([frame()]);
    expect(heard).toHaveLength(3);
  });

  test("is told when the device is no longer served, once", () => {
    const trace = new LineTrace(clock);
    let ends = 0;
    trace.follow({
      entry: () => {},
      ended: () => {
        ends += 1;
      },
    });
    trace.end();
    trace.end();
    expect(ends).toBe(1);
  });

  test("is one of a few", () => {
    const trace = new LineTrace(clock);
    const follow = () => trace.follow({ entry: () => {}, ended: () => {} });
    const leaves = Array.from({ length: 8 }, follow);
    expect(leaves.every((leave) => leave !== undefined)).toBe(true);
    expect(follow()).toBeUndefined();
    leaves[0]?.();
    expect(follow()).toBeDefined();
  });
});
