import type { FrameReader, LineDirection, TracedFrame } from "#core/device/trace.ts";

/** The same reader for somebody who looks all the time. */
export function inWords(reader: FrameReader) {
  return {
    read: (direction: LineDirection, bytes: Uint8Array): TracedFrame[] =>
      reader.read(direction, bytes).map((frame) => frame.describe()),
    rest: (): TracedFrame[] => reader.rest().map((frame) => frame.describe()),
  };
}

/** A line of each: what it is, and what it says. */
export function linesOf(frames: readonly TracedFrame[]): string[] {
  return frames.map(({ name, text }) => `${name}  ${text}`.trimEnd());
}
