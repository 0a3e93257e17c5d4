import { expect, test } from "bun:test";
import { isFault, readFrame } from "#core/controller/frames.ts";
import type { ToGateway } from "#core/controller/messages.ts";
import type { TraceEntry } from "#core/device/trace.ts";
import { TEXT_BYTES_MAX, textsOf } from "./fitting.ts";

const NOON = "2026-01-15T12:00:00.000Z";
const entry = (number: number): TraceEntry => ({
  ...{ kind: "frame", number, at: NOON, times: 1, lastAt: NOON, direction: "out" },
  ...{
    byteCount: 256,
    isDamaged: false,
    name: "x",
    text: "é".repeat(1_024),
    hex: "00".repeat(256),
  },
});
const read = (message: ToGateway) =>
  textsOf(message).map((text) => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(TEXT_BYTES_MAX);
    const frame = readFrame(text);
    if (isFault(frame)) throw new Error(frame.fault);
    return frame;
  });

test("a short message is one text", () => {
  expect(read({ type: "pong" })).toEqual([{ type: "pong" }]);
});

test("what passed on a line comes in several, and only the last one says that it has ended", () => {
  const entries = Array.from({ length: 250 }, (_, index) => entry(index));
  const texts = read({ type: "trace.entries", requestId: "r", entries, ended: true });
  expect(texts.length).toBeGreaterThan(1);
  const numbers = texts.flatMap((one) =>
    one.type === "trace.entries" ? one.entries.map(({ number }) => number) : [],
  );
  expect(numbers).toEqual(entries.map(({ number }) => number));
  const ends = texts.map((one) => one.type === "trace.entries" && one.ended);
  expect(ends).toEqual([...Array.from({ length: texts.length - 1 }, () => false), true]);
});

test("of a result that is too long the data stay away, but not what became of the document", () => {
  const about = { type: "command.result", deviceId: "d", commandId: "c", epoch: 3 } as const;
  const bulk = "x".repeat(TEXT_BYTES_MAX);
  const printed = { success: true, fiscalId: "27", data: { bulk } };
  expect(read({ ...about, result: printed })).toEqual([
    { ...about, result: { success: true, fiscalId: "27" } },
  ]);
  const doubt = { success: false, errorCode: "E102", data: { outcome: "unknown", bulk } } as const;
  expect(read({ ...about, result: doubt })).toEqual([
    { ...about, result: { success: false, errorCode: "E102", data: { outcome: "unknown" } } },
  ]);
});
