/**
 * Answers that go on: one JSON value a line (`application/x-ndjson`) for as long as there is
 * something to tell and somebody who reads. Nothing waits for a slow reader and nothing is kept for
 * it without bound: a value that finds the buffer full is not taken, and how many were not is told
 * as soon as there is room.
 */

import type { Clock } from "../platform/clock.ts";
import { type OpenAnswerHandler, type OpenAnswerWriter, openAnswer } from "./open-answer.ts";

/** What their answer says it is. */
export const NDJSON_TYPE = "application/x-ndjson; charset=utf-8";

/** Bytes that wait for one reader, beyond those in the operating system's own buffers. */
const BUFFER_BYTES_MAX = 1_048_576;

/** Where the values of one answer go. */
export interface NdjsonWriter {
  /** @returns false when the reader is too slow: the value was dropped and counted */
  write(value: unknown): boolean;
  /** Ends the answer. Safe to call twice. */
  end(): void;
}

export interface NdjsonOptions {
  readonly clock: Pick<Clock, "setTimer">;
  /** Ends the answer where nothing else has: a gateway that stops waits for those that are open. */
  readonly until: AbortSignal;
  /** What is written in place of `count` values that were dropped in a row. */
  dropped(count: number): unknown;
  /**
   * Called once, when the answer begins. It may write at once.
   * @returns called once when the answer is over, whoever ended it
   */
  begin(writer: NdjsonWriter): () => void;
}

/** An answer of lines. */
export function ndjsonAnswer({ clock, until, dropped, begin }: NdjsonOptions): Response {
  return openAnswer({
    clock,
    type: NDJSON_TYPE,
    bufferBytes: BUFFER_BYTES_MAX,
    silence: "\n",
    begin(answer) {
      const lines = new NdjsonLines(answer, dropped);
      const finish = begin(lines);
      const end = (): void => lines.end();
      until.addEventListener("abort", end, { once: true });
      if (until.aborted) end();
      return lines.handler(() => {
        until.removeEventListener("abort", end);
        finish();
      });
    },
  });
}

class NdjsonLines implements NdjsonWriter {
  readonly #answer: OpenAnswerWriter;
  readonly #toldOf: NdjsonOptions["dropped"];
  #dropped = 0;
  #isOver = false;

  constructor(answer: OpenAnswerWriter, toldOf: NdjsonOptions["dropped"]) {
    this.#answer = answer;
    this.#toldOf = toldOf;
  }

  handler(finish: () => void): OpenAnswerHandler {
    return {
      drained: () => this.#catchUp(),
      closed: () => {
        this.#isOver = true;
        finish();
      },
    };
  }

  write(value: unknown): boolean {
    if (this.#isOver) return false;
    this.#catchUp();
    if (this.#dropped > 0 || !this.#hasRoom()) {
      this.#dropped += 1;
      return false;
    }
    this.#line(value);
    return true;
  }

  end(): void {
    this.#catchUp();
    this.#isOver = true;
    this.#answer.end();
  }

  /** Tells what was dropped, once there is room for it. */
  #catchUp(): void {
    if (this.#isOver || this.#dropped === 0 || !this.#hasRoom()) return;
    const count = this.#dropped;
    this.#dropped = 0;
    this.#line(this.#toldOf(count));
  }

  #hasRoom(): boolean {
    return this.#answer.waiting() < BUFFER_BYTES_MAX;
  }

  #line(value: unknown): void {
    this.#answer.write(`${JSON.stringify(value)}\n`);
  }
}
