/** A line that the line monitor reads along on. */

import type { FrameReader, LineDirection } from "#core/device/trace.ts";
import type { Line } from "#core/driver.ts";
import { tapped } from "#core/tapped-line.ts";
import type { Log } from "../platform/log.ts";
import type { LineTrace } from "./line-trace.ts";

export interface TracingOptions {
  readonly trace: LineTrace;
  /** Gives undefined where the driver has none: then only the line itself is told of. */
  readonly openReader: () => FrameReader | undefined;
  readonly log: Log;
}

/**
 * The same line, read along on. What goes out is noted before it is sent, so that no answer can be
 * noted before its question; that costs some microseconds, less than one byte takes on a serial
 * line. Nothing that fails here ever reaches the driver.
 */
export function tracedLine(line: Line, options: TracingOptions): Line {
  const { trace, log } = options;
  let reader: FrameReader | undefined;
  let isOpen = true;
  const attempt = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      reader = undefined;
      log.error("line monitor failed", { error });
    }
  };
  attempt(() => {
    reader = options.openReader();
  });
  const note = (direction: LineDirection, bytes: Uint8Array): void =>
    attempt(() => trace.frames(reader?.read(direction, bytes) ?? []));
  const over = (reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    attempt(() => trace.frames(reader?.rest() ?? []));
    trace.event("closed", reason);
  };
  return tapped(line, {
    write: (bytes) => {
      if (isOpen) note("out", bytes);
    },
    close: () => over("by the gateway"),
    data: (chunk) => note("in", chunk),
    closed: (error) => over(error.message),
  });
}
