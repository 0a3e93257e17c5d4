/** A device that answers otherwise than the simulated one behind it, at the host's end of the line. */

import type { Line } from "#core/driver.ts";
import {
  encodeReply,
  type Generation,
  NAK,
  ReplyDecoder,
  type ReplyFrame,
  RequestDecoder,
  type RequestFrame,
} from "../frame.ts";

export interface ChangedReplies {
  readonly generation: Generation;
  /** Told of each command on its way. */
  readonly sent?: (request: RequestFrame) => void;
  /** What is heard in place of an answer. */
  readonly change: (reply: ReplyFrame) => ReplyFrame;
}

/** What to put over a device's line. What is no frame gets lost in it, and SYN, the sign to wait. */
export function changedReplies({ generation, sent, change }: ChangedReplies): (line: Line) => Line {
  return (line) => {
    const requests = new RequestDecoder(generation);
    const replies = new ReplyDecoder(generation);
    return {
      write(bytes) {
        for (const event of requests.push(bytes)) if (event.kind === "request") sent?.(event);
        line.write(bytes);
      },
      close: () => line.close(),
      listen: (listener) =>
        line.listen({
          closed: (error) => listener.closed(error),
          data(chunk) {
            for (const event of replies.push(chunk)) {
              // A frame of the other generation, while it is found out which one this is.
              if (event.kind === "nak") listener.data(Uint8Array.of(NAK));
              if (event.kind === "reply") listener.data(encodeReply(generation, change(event)));
            }
          },
        }),
    };
  };
}
