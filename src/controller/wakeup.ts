/** Waiting for a time or a call, whichever comes first. */

import type { Clock } from "../platform/clock.ts";

export class Wakeup {
  #wake: (() => void) | undefined;
  /** A call that came while nobody waited. */
  #called = false;

  constructor(private readonly clock: Clock) {}

  /** Ends the wait, or the next one when nobody waits now. */
  now(): void {
    if (this.#wake) this.#wake();
    else this.#called = true;
  }

  /** Waits `ms`, or until `now` is called. */
  wait(ms: number): Promise<void> {
    if (this.#called) {
      this.#called = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = (): void => {
        cancelTimer();
        this.#wake = undefined;
        resolve();
      };
      const cancelTimer = this.clock.setTimer(ms, done);
      this.#wake = done;
    });
  }
}
