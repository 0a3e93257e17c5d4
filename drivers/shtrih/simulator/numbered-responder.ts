/**
 * The Shtrih-M side of a simulated device on the alternative lower level: carries out the command
 * with the next number, and answers any other frame with its last answer. That, and the count, are
 * lost with the power.
 */

import type { DeviceMemory } from "../../simulator/books/memory.ts";
import type { LineEvent, Responder } from "../../simulator/engine.ts";
import {
  encodeNumbered,
  FRAME_NUMBERS,
  NumberedDecoder,
  type NumberedToken,
} from "../numbered-frame.ts";
import { Execution } from "./execution.ts";
import type { ShtrihModel } from "./model.ts";

/** The count of a device that has not answered anything yet. */
const FIRST_NUMBER = 1;
const NOTHING = new Uint8Array(0);

export class NumberedResponder implements Responder {
  readonly busySign = undefined;
  readonly #execution: Execution;
  #number = FIRST_NUMBER;
  #answer = encodeNumbered(FIRST_NUMBER);

  constructor(memory: DeviceMemory, model: ShtrihModel) {
    this.#execution = new Execution(memory, model);
  }

  listen(): (chunk: Uint8Array) => readonly LineEvent[] {
    const decoder = new NumberedDecoder();
    return (chunk) => decoder.push(chunk).flatMap((token) => this.#take(token));
  }

  forget(): void {
    this.#number = FIRST_NUMBER;
    this.#answer = encodeNumbered(FIRST_NUMBER);
    this.#execution.forget();
  }

  #take(token: NumberedToken): LineEvent[] {
    switch (token.kind) {
      case "question":
        // While a command runs the question is lost; the host asks again.
        return [{ kind: "answer", bytes: this.#answer, whenBusy: NOTHING }];
      case "frame":
        return [
          {
            kind: "frame",
            command: token.body[0],
            // A frame may have waited: which one is next shows when its turn comes.
            execute: (executed) => this.#answerTo(token, executed),
          },
        ];
      case "damaged":
        return [];
      default:
        return token satisfies never;
    }
  }

  #answerTo(
    { number, body }: Extract<NumberedToken, { kind: "frame" }>,
    executed: () => void,
  ): Uint8Array {
    const isNext = number === (this.#number + 1) % FRAME_NUMBERS;
    if (isNext && body.length > 0) {
      this.#number = number;
      this.#answer = encodeNumbered(number, this.#execution.answerTo(body, executed));
    } else executed();
    return this.#answer;
  }
}
