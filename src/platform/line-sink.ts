/** Writes log lines to a file descriptor without ever stopping or ending the process. */

import { writeSync } from "node:fs";

/** How a sink reaches the operating system: bytes taken, or a thrown system error. */
export type WriteBytes = (bytes: Uint8Array) => number;

/** Where log lines go, one call per line. */
export interface LineSink {
  /** @param isUrgent it must not wait for company, as a warning may be the last thing written */
  write(line: string, isUrgent?: boolean): void;
}

/** How long a line that is not urgent may wait for others. Milliseconds. */
const GATHER_MS = 50;
/** So much waits at the most. */
const GATHERED_CHARACTERS_MAX = 32_768;

/**
 * Gathers lines and writes them together: a system call for each line of the access log costs a busy
 * gateway a quarter of its speed. A line that is urgent goes at once, with all that wait before it.
 * @returns the sink, and `flush` for the end of the process
 */
export function gatherLines(
  sink: LineSink,
  setTimer: (ms: number, callback: () => void) => () => void,
): LineSink & { flush(): void } {
  let waiting = "";
  let cancelTimer: (() => void) | undefined;
  const flush = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (waiting !== "") sink.write(waiting);
    waiting = "";
  };
  return {
    flush,
    write(line, isUrgent) {
      waiting += line;
      if (isUrgent === true || waiting.length >= GATHERED_CHARACTERS_MAX) flush();
      else cancelTimer ??= setTimer(GATHER_MS, flush);
    },
  };
}

/**
 * A sink that writes at once and buffers no more than the rest of one write. What the reader does
 * not take (a stuck pipe, a full disk, nobody there) is dropped and counted; the count is told with
 * the next line that goes out. A gateway that stops because its log is full would be worse than a
 * gap in the log.
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
        dropped += linesIn(line);
        return;
      }
      if (dropped > 0) {
        const notice = JSON.stringify({ level: "warn", msg: "log lines dropped", count: dropped });
        const isOut = push(Buffer.from(`${notice}\n`));
        dropped = 0;
        if (!isOut) {
          dropped += linesIn(line);
          return;
        }
      }
      const bytes = Buffer.from(line);
      if (push(bytes)) return;
      if (unfinished.length === bytes.length) {
        // Not a byte went out, so it can be dropped whole instead of being kept.
        unfinished = new Uint8Array(0);
        dropped += linesIn(line);
      }
    },
  };
}

/** Several lines may be written as one. */
function linesIn(text: string): number {
  return Math.max(1, text.split("\n").length - 1);
}

/** A sink on an open file descriptor, 1 being the standard output. */
export function fileDescriptorSink(fileDescriptor: number): LineSink {
  return createLineSink((bytes) => writeSync(fileDescriptor, bytes));
}
