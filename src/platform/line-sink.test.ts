import { describe, expect, test } from "bun:test";
import { FakeClock } from "./clock.ts";
import { createLineSink, gatherLines } from "./line-sink.ts";

/** A file descriptor that takes `room` bytes and then says it would block. */
function narrowPipe(room: number) {
  let free = room;
  const taken: number[] = [];
  return {
    write(bytes: Uint8Array): number {
      if (free === 0) throw Object.assign(new Error("EAGAIN"), { code: "EAGAIN" });
      const part = bytes.subarray(0, free);
      free -= part.length;
      taken.push(...part);
      return part.length;
    },
    drain(more: number): void {
      free = more;
    },
    text: () => Buffer.from(taken).toString(),
  };
}

describe("the line sink", () => {
  test("writes lines whole, however little is taken at a time", () => {
    const written: number[] = [];
    const sink = createLineSink((bytes) => {
      written.push(...bytes.subarray(0, 3));
      return Math.min(3, bytes.length);
    });
    sink.write("first line\n");
    sink.write("second\n");
    expect(Buffer.from(written).toString()).toBe("first line\nsecond\n");
  });

  test("drops what a stuck reader does not take, finishes the line it began, and tells", () => {
    const pipe = narrowPipe(6);
    const sink = createLineSink(pipe.write);
    sink.write("0123456789\n");
    sink.write("lost 1\n");
    sink.write("lost 2\n");
    pipe.drain(1_000);
    sink.write("after\n");
    expect(pipe.text()).toBe(
      '0123456789\n{"level":"warn","msg":"log lines dropped","count":2}\nafter\n',
    );
  });

  test("drops a line whole when not a byte of it was taken", () => {
    const pipe = narrowPipe(0);
    const sink = createLineSink(pipe.write);
    sink.write("lost\n");
    pipe.drain(1_000);
    sink.write("after\n");
    expect(pipe.text()).toBe('{"level":"warn","msg":"log lines dropped","count":1}\nafter\n');
  });

  test("survives a full disk", () => {
    const sink = createLineSink(() => {
      throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    });
    for (let line = 0; line < 1_000; line++) sink.write("x".repeat(1_000));
  });
});

describe("gathered lines", () => {
  function gathered() {
    const clock = new FakeClock();
    const writes: string[] = [];
    const sink = gatherLines({ write: (text) => writes.push(text) }, (ms, callback) =>
      clock.setTimer(ms, callback),
    );
    return { clock, writes, sink };
  }

  test("are written together after a moment", () => {
    const { clock, writes, sink } = gathered();
    sink.write("a\n");
    sink.write("b\n");
    expect(writes).toEqual([]);
    clock.advance(50);
    expect(writes).toEqual(["a\nb\n"]);
    clock.advance(1_000);
    expect(writes).toHaveLength(1);
  });

  test("are written at once with one that is urgent, in order", () => {
    const { writes, sink } = gathered();
    sink.write("a\n");
    sink.write("warning\n", true);
    expect(writes).toEqual(["a\nwarning\n"]);
  });

  test("are written when there are many, and at the end", () => {
    const { writes, sink } = gathered();
    const line = `${"x".repeat(999)}\n`;
    for (let count = 0; count < 40; count += 1) sink.write(line);
    expect(writes.map((text) => text.length)).toEqual([33_000]);
    sink.flush();
    expect(writes.join("")).toHaveLength(40_000);
  });

  test("that nobody takes are counted one by one", () => {
    let isStuck = true;
    const taken: string[] = [];
    const sink = createLineSink((bytes) => {
      if (isStuck) throw new Error("EAGAIN");
      taken.push(Buffer.from(bytes).toString());
      return bytes.length;
    });
    sink.write("a\nb\nc\n");
    isStuck = false;
    sink.write("d\n");
    expect(taken.join("")).toContain('"count":3');
  });
});
