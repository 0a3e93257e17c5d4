/**
 * A line that cannot take more of the process than its share, whatever its device sends: so many
 * bytes are handed on in one turn of the event loop, and one that goes on and on without a word of
 * ours is given up. A runtime hands over megabytes a turn, and to look at them takes seconds in
 * which no other device and no till is heard.
 */

import type { Line, LineListener } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";

/** Bytes that are handed on in one turn of the event loop: more than any answer has. */
export const TURN_BYTES_MAX = 4_096;

/**
 * Bytes that a device may send after a word of ours. The longest answer has 1 KiB; a device that
 * works for two minutes and says so every 60 ms sends 2 KiB.
 */
export const UNASKED_BYTES_MAX = 65_536;

/** Bytes of ours that wait: a device that leaves so much unread is not there any more. */
export const UNSENT_BYTES_MAX = 4 * 1_048_576;

/** The same line, bounded. */
export function boundedLine(line: Line): Line {
  return new BoundedLine(line);
}

class BoundedLine implements Line {
  readonly #line: Line;
  #listener: LineListener | undefined;
  /** Bytes since the last word of ours. */
  #unasked = 0;
  /** Bytes handed on in this turn. */
  #handed = 0;
  /** What came and is not handed on yet. */
  #waiting: Uint8Array[] = [];
  #isScheduled = false;
  #loss: Error | undefined;
  #isClosed = false;

  constructor(line: Line) {
    this.#line = line;
  }

  write(bytes: Uint8Array): void {
    this.#unasked = 0;
    this.#line.write(bytes);
  }

  listen(listener: LineListener): void {
    this.#listener = listener;
    if (this.#loss) {
      this.#handOn();
      return;
    }
    this.#line.listen({
      data: (chunk) => this.#hear(chunk),
      closed: (error) => this.#lose(error),
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#line.close();
  }

  lookBehind(): void {
    this.#line.lookBehind?.();
  }

  #hear(chunk: Uint8Array): void {
    if (this.#loss) return;
    this.#unasked += chunk.length;
    if (this.#unasked > UNASKED_BYTES_MAX) {
      this.#waiting = [];
      this.#line.close();
      this.#lose(
        new FiscalError("E102", "The device floods the line with bytes that nobody has asked for"),
      );
      return;
    }
    this.#waiting.push(chunk);
    this.#handOn();
  }

  /** What came before is handed on before that. */
  #lose(error: Error): void {
    this.#loss ??= error;
    this.#handOn();
  }

  #handOn(): void {
    while (!this.#isClosed && this.#handed < TURN_BYTES_MAX) {
      const [first, ...rest] = this.#waiting;
      if (first === undefined) break;
      const piece = first.subarray(0, TURN_BYTES_MAX - this.#handed);
      const left = first.subarray(piece.length);
      this.#waiting = left.length === 0 ? rest : [left, ...rest];
      this.#handed += piece.length;
      this.#listener?.data(piece);
    }
    if (this.#isClosed) return;
    if (this.#loss && this.#waiting.length === 0) {
      this.#isClosed = true;
      this.#listener?.closed(this.#loss);
    } else if (this.#handed > 0) this.#countTurn();
  }

  /** The next turn has its own share, and takes what this one left. */
  #countTurn(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#handed = 0;
      if (this.#waiting.length > 0) this.#handOn();
    });
  }
}
