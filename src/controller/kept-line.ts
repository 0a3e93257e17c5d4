/** A line that stays open while one driver after another asks on it. */

import type { Line, LineListener } from "#core/driver.ts";

/**
 * Many devices take one connection at a time, and some refuse the next one for a while after each.
 * So whoever asks is lent the line, and gives it back by closing it. What comes while nobody has it
 * is late, and dropped.
 */
export class KeptLine {
  readonly #line: Line;
  #listener: LineListener | undefined;
  #loss: Error | undefined;
  #isClosed = false;

  constructor(line: Line) {
    this.#line = line;
    line.listen({
      data: (chunk) => this.#listener?.data(chunk),
      closed: (error) => {
        this.#loss = error;
        this.#listener?.closed(error);
      },
    });
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#loss === undefined;
  }

  /** For one driver, as long as it does not close it. */
  lend(): Line {
    let own: LineListener | undefined;
    let isBack = false;
    return {
      write: (bytes) => {
        if (!isBack) this.#line.write(bytes);
      },
      listen: (listener) => {
        if (isBack) return;
        own = listener;
        this.#listener = listener;
        if (this.#loss) listener.closed(this.#loss);
      },
      close: () => {
        isBack = true;
        if (this.#listener === own) this.#listener = undefined;
      },
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#listener = undefined;
    this.#line.close();
  }
}
