/**
 * Answers that go on: one JSON value a line (`application/x-ndjson`) for as long as there is
 * something to tell and somebody who reads. Nothing waits for a slow reader and nothing is kept for
 * it without bound: a value that finds the buffer full is not taken, and how many were not is told
 * as soon as there is room.
 */

import type { Clock } from "../platform/clock.ts";

/** Bytes that wait for one reader, beyond those in the operating system's own buffers. */
const BUFFER_BYTES_MAX = 1_048_576;
/**
 * A reader that hears nothing for this long gets an empty line, so that neither the server nor
 * anything on the way takes the connection for a forgotten one.
 */
const QUIET_MS_MAX = 15_000;

/** Where the values of one answer go. */
export interface NdjsonWriter {
  /** @returns false when the reader is too slow: the value was dropped and counted */
  write(value: unknown): boolean;
  /** Ends the answer. Safe to call twice. */
  end(): void;
}

export interface NdjsonOptions {
  readonly clock: Clock;
  /** What is written in place of `count` values that were dropped in a row. */
  dropped(count: number): unknown;
  /**
   * Called once, when the answer begins. It may write at once.
   * @returns called once when the answer is over, whoever ended it
   */
  begin(writer: NdjsonWriter): () => void;
}

/** An answer of lines. */
export function ndjsonAnswer(options: NdjsonOptions): Response {
  const lines = new NdjsonLines(options);
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => lines.start(controller),
      pull: () => lines.catchUp(),
      cancel: () => lines.over(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES_MAX }),
  );
  return new Response(stream, {
    headers: {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Cache-Control": "no-store",
      // Proxies that gather answers would otherwise hold the lines back.
      "X-Accel-Buffering": "no",
    },
  });
}

class NdjsonLines implements NdjsonWriter {
  readonly #options: NdjsonOptions;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #dropped = 0;
  #finish: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;
  #isOver = false;

  constructor(options: NdjsonOptions) {
    this.#options = options;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    this.#keepAwake();
    const finish = this.#options.begin(this);
    if (this.#isOver) finish();
    else this.#finish = finish;
  }

  write(value: unknown): boolean {
    if (this.#isOver) return false;
    this.catchUp();
    if (this.#dropped > 0 || !this.#hasRoom()) {
      this.#dropped += 1;
      return false;
    }
    this.#enqueue(`${JSON.stringify(value)}\n`);
    return true;
  }

  end(): void {
    if (this.#isOver) return;
    this.catchUp();
    this.#controller?.close();
    this.over();
  }

  /** Tells what was dropped, once there is room for it. */
  catchUp(): void {
    if (this.#isOver || this.#dropped === 0 || !this.#hasRoom()) return;
    const count = this.#dropped;
    this.#dropped = 0;
    this.#enqueue(`${JSON.stringify(this.#options.dropped(count))}\n`);
  }

  over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer?.();
    this.#finish?.();
  }

  #hasRoom(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  #enqueue(line: string): void {
    this.#controller?.enqueue(this.#encoder.encode(line));
    this.#keepAwake();
  }

  #keepAwake(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.clock.setTimer(QUIET_MS_MAX, () => {
      if (this.#hasRoom()) this.#enqueue("\n");
      else this.#keepAwake();
    });
  }
}
