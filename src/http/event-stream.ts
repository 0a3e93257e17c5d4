/** Server-sent events (`text/event-stream`, WHATWG HTML 9.2). */

import type { Clock } from "../platform/clock.ts";
import { type OpenAnswerHandler, type OpenAnswerWriter, openAnswer } from "./open-answer.ts";

/** What their answer says it is. */
export const EVENT_STREAM_TYPE = "text/event-stream; charset=utf-8";

/** Bytes in the stream's own buffer before it asks for no more. */
const BUFFER_BYTES = 16 * 1024;
/** What a browser waits before it comes again, in milliseconds. */
const RETRY_MS = 3_000;

/** Where the messages of one answer go. */
export interface EventStreamWriter extends Pick<OpenAnswerWriter, "waiting" | "end"> {
  /** @param id what a reader that comes again names as the last that it heard; no line break */
  write(id: string, data: string): void;
}

/**
 * An answer of messages.
 * @param begin called once, before this returns
 */
export function eventStreamAnswer(
  clock: Pick<Clock, "setTimer">,
  begin: (writer: EventStreamWriter) => OpenAnswerHandler,
): Response {
  return openAnswer({
    clock,
    type: EVENT_STREAM_TYPE,
    bufferBytes: BUFFER_BYTES,
    silence: ":\n\n",
    begin({ write, waiting, end }) {
      write(`retry: ${RETRY_MS}\n\n`);
      return begin({
        write: (id, data) => write(`id: ${id}\ndata: ${data}\n\n`),
        waiting,
        end,
      });
    },
  });
}
