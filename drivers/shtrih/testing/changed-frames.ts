/** A model that takes and answers other than the simulated one behind it, at the host's end of the line. */

import type { Line } from "#core/driver.ts";
import { ACK, encodeFrame, FrameDecoder, NAK, STX } from "../frame.ts";

export interface ChangedFrames {
  /** What the device gets in place of a command: code, password, fields. The same unless given. */
  readonly send?: (body: Uint8Array) => Uint8Array;
  /**
   * What is heard in place of an answer (code, error byte, data) to the command that was sent last.
   * The same unless given.
   */
  readonly hear?: (answer: Uint8Array, to: Uint8Array) => Uint8Array;
}

const same = (body: Uint8Array): Uint8Array => body;

/** What to put over a device's line. */
export function changedFrames({ send = same, hear = same }: ChangedFrames): (line: Line) => Line {
  return (line) => {
    const commands = new FrameDecoder();
    const answers = new FrameDecoder();
    let last: Uint8Array = new Uint8Array(0);
    return {
      write(bytes) {
        if (bytes[0] !== STX) return line.write(bytes);
        for (const token of commands.push(bytes)) {
          if (token.kind !== "frame") continue;
          last = Uint8Array.from(token.body);
          line.write(encodeFrame(send(last)));
        }
      },
      close: () => line.close(),
      listen: (listener) =>
        line.listen({
          closed: (error) => listener.closed(error),
          data(chunk) {
            for (const token of answers.push(chunk)) {
              if (token.kind === "ack") listener.data(Uint8Array.of(ACK));
              if (token.kind === "nak") listener.data(Uint8Array.of(NAK));
              if (token.kind === "frame") listener.data(encodeFrame(hear(token.body, last)));
            }
          },
        }),
    };
  };
}
