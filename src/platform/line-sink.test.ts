import { describe, expect, test } from "bun:test";
import { createLineSink } from "./line-sink.ts";

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
