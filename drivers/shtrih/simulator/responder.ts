/**
 * The Shtrih-M side of a simulated device on the standard lower level: takes commands, carries
 * them out on the books, and keeps each answer until it is acknowledged. The answer is lost with
 * the power.
 */

import type { DeviceMemory } from "../../simulator/books/memory.ts";
import type { LineEvent, Responder } from "../../simulator/engine.ts";
import { ACK, encodeFrame, FrameDecoder, type LineToken, NAK } from "../frame.ts";
import { Execution } from "./execution.ts";
import type { ShtrihModel } from "./model.ts";

const ACK_SIGN = Uint8Array.of(ACK);
const NAK_SIGN = Uint8Array.of(NAK);

export class ShtrihResponder implements Responder {
  readonly busySign = undefined;
  readonly #execution: Execution;
  /** The last answer, until a host acknowledges it. */
  #answer: Uint8Array | undefined;

  constructor(memory: DeviceMemory, model: ShtrihModel) {
    this.#execution = new Execution(memory, model);
  }

  listen(): (chunk: Uint8Array) => readonly LineEvent[] {
    const decoder = new FrameDecoder();
    return (chunk) => decoder.push(chunk).flatMap((token) => this.#take(token));
  }

  forget(): void {
    this.#answer = undefined;
    this.#execution.forget();
  }

  #take(token: LineToken): LineEvent[] {
    switch (token.kind) {
      case "enq":
        // While a command runs, its answer is on its way and nothing is there to be repeated.
        return [
          {
            kind: "answer",
            bytes: this.#answer ? join(ACK_SIGN, this.#answer) : NAK_SIGN,
            whenBusy: ACK_SIGN,
          },
        ];
      case "ack":
        this.#answer = undefined;
        return [];
      case "damaged":
        return [{ kind: "answer", bytes: NAK_SIGN }];
      case "frame":
        return [
          {
            kind: "frame",
            command: token.body[0],
            accepted: ACK_SIGN,
            execute: (executed) => {
              this.#answer = encodeFrame(this.#execution.answerTo(token.body, executed));
              return this.#answer;
            },
          },
        ];
      case "nak":
      case "junk":
        return [];
      default:
        return token satisfies never;
    }
  }
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  return Uint8Array.from([...one, ...other]);
}
