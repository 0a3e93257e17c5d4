import { describe, expect, test } from "bun:test";
import { FakeClock } from "../platform/clock.ts";
import { type NdjsonWriter, ndjsonAnswer } from "./ndjson.ts";

interface Answer {
  readonly writer: NdjsonWriter;
  readonly reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> };
  readonly clock: FakeClock;
  readonly stopping: AbortController;
  readonly headers: Headers;
  cancel(): Promise<void>;
  /** How often it was told that it is over. */
  readonly ends: () => number;
}

function answer(): Answer {
  const clock = new FakeClock();
  const stopping = new AbortController();
  let writer: NdjsonWriter | undefined;
  let ends = 0;
  const response = ndjsonAnswer({
    ...{ clock, until: stopping.signal },
    dropped: (count) => ({ dropped: count }),
    begin(ready) {
      writer = ready;
      return () => {
        ends += 1;
      };
    },
  });
  const reader = response.body?.getReader();
  if (!writer || !reader) throw new Error("the answer did not begin");
  return {
    writer,
    reader,
    ...{ clock, stopping },
    headers: response.headers,
    cancel: () => reader.cancel(),
    ends: () => ends,
  };
}

/** Everything that can be read without anybody writing. */
async function readRest({ reader }: Answer): Promise<string> {
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += Buffer.from(value ?? []).toString();
  }
}

describe("an answer of lines", () => {
  test("ends when the gateway stops", async () => {
    const lines = answer();
    lines.writer.write({ one: 1 });
    lines.stopping.abort();
    expect(await readRest(lines)).toBe('{"one":1}\n');
    expect(lines.ends()).toBe(1);
  });

  test("has one JSON value a line and ends when it is told to", async () => {
    const lines = answer();
    expect(lines.headers.get("content-type")).toContain("application/x-ndjson");
    expect(lines.writer.write({ one: 1 })).toBe(true);
    expect(lines.writer.write(["two\n"])).toBe(true);
    lines.writer.end();
    lines.writer.end();
    expect(lines.writer.write("late")).toBe(false);
    expect(await readRest(lines)).toBe('{"one":1}\n["two\\n"]\n');
    expect(lines.ends()).toBe(1);
  });

  test("is over when its reader goes", async () => {
    const lines = answer();
    lines.writer.write(1);
    await lines.cancel();
    expect(lines.ends()).toBe(1);
    expect(lines.writer.write(2)).toBe(false);
  });

  test("keeps a bounded amount for a slow reader, and tells what it left out", async () => {
    const lines = answer();
    const kilobyte = "x".repeat(1_020);
    let taken = 0;
    for (let count = 0; count < 20_000; count += 1) if (lines.writer.write(kilobyte)) taken += 1;
    expect(taken).toBeGreaterThan(900);
    expect(taken).toBeLessThan(1_100);
    for (let count = 0; count < 100; count += 1) await lines.reader.read();
    expect(lines.writer.write("again")).toBe(true);
    lines.writer.end();
    const [dropped, last] = (await readRest(lines)).split("\n").slice(-3);
    expect(JSON.parse(dropped ?? "")).toEqual({ dropped: 20_000 - taken });
    expect(last).toBe('"again"');
  });

  test("says now and then that it goes on, and no more after its end", async () => {
    const lines = answer();
    const read = async () => Buffer.from((await lines.reader.read()).value ?? []).toString();
    lines.clock.advance(15_000);
    expect(await read()).toBe("\n");
    lines.writer.write(1);
    lines.clock.advance(14_999);
    lines.writer.write(2);
    // Whoever has something to read needs nothing else.
    lines.clock.advance(15_000);
    expect(await read()).toBe("1\n");
    expect(await read()).toBe("2\n");
    lines.clock.advance(15_000);
    lines.writer.end();
    lines.clock.advance(60_000);
    expect(await readRest(lines)).toBe("\n");
  });
});
