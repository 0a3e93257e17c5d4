/**
 * An answer that goes on, text by text, until one side ends it. It drops nothing and has no bound of
 * its own: whoever writes looks at what waits.
 */

import type { Clock } from "../platform/clock.ts";
import { breakSilence } from "./broken-silence.ts";

/** Where the texts of one answer go. All of it does nothing once the answer is over. */
export interface OpenAnswerWriter {
  write(text: string): void;
  /** Bytes that the reader has not taken yet, beyond those in the operating system's own buffers. */
  waiting(): number;
  /** Sends what waits and ends the answer. */
  end(): void;
}

/** What happens on one answer. */
export interface OpenAnswerHandler {
  /** The reader has taken something of what waited. */
  drained(): void;
  /** The answer is over; called once, whoever ended it. */
  closed(): void;
}

export interface OpenAnswerOptions {
  readonly clock: Pick<Clock, "setTimer">;
  /** Of its content. */
  readonly type: string;
  /** While more waits than this, in bytes, nothing is said to be drained. */
  readonly bufferBytes: number;
  /** What says nothing, for a reader that hears nothing else for a while. */
  readonly silence: string;
  /** Called once, before the answer begins. It may write, and end, at once. */
  begin(writer: OpenAnswerWriter): OpenAnswerHandler;
}

/** Makes the answer. */
export function openAnswer(options: OpenAnswerOptions): Response {
  const { clock, type, bufferBytes, silence, begin } = options;
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let handler: OpenAnswerHandler | undefined;
  let isOver = false;

  const waiting = (): number => bufferBytes - (controller?.desiredSize ?? bufferBytes);
  const write = (text: string): void => {
    if (isOver) return;
    controller?.enqueue(encoder.encode(text));
    signs.said();
  };
  const signs = breakSilence(clock, {
    isBehind: () => waiting() > 0,
    sign: () => write(silence),
  });
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    signs.stop();
    handler?.closed();
  };
  const end = (): void => {
    if (isOver) return;
    controller?.close();
    over();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
        signs.said();
        const begun = begin({ write, waiting, end });
        handler = begun;
        if (isOver) begun.closed();
      },
      pull: () => handler?.drained(),
      cancel: over,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes }),
  );
  return new Response(stream, {
    headers: {
      "Content-Type": type,
      "Cache-Control": "no-store",
      // Proxies that gather answers would otherwise hold the texts back.
      "X-Accel-Buffering": "no",
    },
  });
}
