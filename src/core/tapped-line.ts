/** A line that somebody hears along on. */

import type { Line } from "./driver.ts";

/** What is told of what passes, before that goes on, but for `lost`. Must not throw. */
export interface Tap {
  write?(bytes: Uint8Array): void;
  data?(chunk: Uint8Array): void;
  /** The line is closed from this side. */
  close?(): void;
  /** The line is gone. */
  closed?(error: Error): void;
  /** The same, once the listener knows. */
  lost?(): void;
}

/** The same line, in all that it can do. */
export function tapped(line: Line, tap: Tap): Line {
  return {
    write(bytes) {
      tap.write?.(bytes);
      line.write(bytes);
    },
    close() {
      tap.close?.();
      line.close();
    },
    listen: (listener) =>
      line.listen({
        data(chunk) {
          tap.data?.(chunk);
          listener.data(chunk);
        },
        closed(error) {
          tap.closed?.(error);
          listener.closed(error);
          tap.lost?.();
        },
      }),
    ...(line.lookBehind && { lookBehind: () => line.lookBehind?.() }),
  };
}
