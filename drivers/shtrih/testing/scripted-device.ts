/** The other end of a line, played by a test: what a host sends is kept, and answered as scripted. */

import { memoryLinePair } from "../../transport/memory.ts";
import { ACK, encodeFrame, FrameDecoder, NAK } from "../frame.ts";

/** Answers ENQ with NAK and each command with ACK and the next reply. */
export class ScriptedDevice {
  readonly #ends = memoryLinePair();
  readonly #replies: Uint8Array[];
  /** The bodies of the commands that came. */
  readonly commands: Uint8Array[] = [];

  /** @param replies bodies of answers: code, error byte, data */
  constructor(replies: readonly Uint8Array[]) {
    this.#replies = [...replies];
    const [, device] = this.#ends;
    const decoder = new FrameDecoder();
    device.listen({
      data: (chunk) => {
        for (const token of decoder.push(chunk)) {
          if (token.kind === "enq") device.write(Uint8Array.of(NAK));
          if (token.kind !== "frame") continue;
          this.commands.push(token.body);
          const reply = this.#replies.shift();
          device.write(Uint8Array.of(ACK));
          if (reply) device.write(encodeFrame(reply));
        }
      },
      closed() {},
    });
  }

  /** The host's end. */
  get line() {
    return this.#ends[0];
  }
}
