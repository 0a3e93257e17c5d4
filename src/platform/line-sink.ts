/** Writes log lines to a file descriptor without ever stopping or ending the process. */

import { writeSync } from "node:fs";

/** How a sink reaches the operating system: bytes taken, or a thrown system error. */
export type WriteBytes = (bytes: Uint8Array) => number;

/** Where log lines go, one call per line. */
export interface LineSink {
  write(line: string): void;
}

/**
 * A sink that writes each line at once, so that nothing is lost when the process is killed, and
 * buffers no more than the rest of one line. What the reader does not take (a stuck pipe, a full
 * disk, nobody there) is dropped and counted; the count is told with the next line that goes out.
 * A gateway that stops because its log is full would be worse than a gap in the log.
 */
export function createLineSink(writeBytes: WriteBytes): LineSink {
  let unfinished: Uint8Array = new Uint8Array(0);
  let dropped = 0;

  /** True when nothing is left of the bytes. */
  const push = (bytes: Uint8Array): boolean => {
    unfinished = bytes;
    try {
      while (unfinished.length > 0) {
        const taken = writeBytes(unfinished);
        if (taken <= 0) return false;
        unfinished = unfinished.subarray(taken);
      }
      return true;
    } catch {
      return false;
    }
  };

  return {
    write(line) {
      if (unfinished.length > 0 && !push(unfinished)) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        const notice = JSON.stringify({ level: "warn", msg: "log lines dropped", count: dropped });
        const isOut = push(Buffer.from(`${notice}\n`));
        dropped = 0;
        if (!isOut) {
          dropped += 1;
          return;
        }
      }
      const bytes = Buffer.from(line);
      if (push(bytes)) return;
      if (unfinished.length === bytes.length) {
        // Not a byte went out, so the line can be dropped whole instead of being kept.
        unfinished = new Uint8Array(0);
        dropped += 1;
      }
    },
  };
}

/** A sink on an open file descriptor, 1 being the standard output. */
export function fileDescriptorSink(fileDescriptor: number): LineSink {
  return createLineSink((bytes) => writeSync(fileDescriptor, bytes));
}
