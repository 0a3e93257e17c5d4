/** Timers that go off when a test says so. */

import type { SetTimer } from "../../../simulator/engine.ts";

interface Timer {
  readonly ms: number;
  readonly callback: () => void;
}

export class ManualTimers {
  readonly #armed = new Set<Timer>();
  #wake: () => void = () => undefined;

  readonly setTimer: SetTimer = (ms, callback) => {
    const timer = { ms, callback };
    this.#armed.add(timer);
    this.#wake();
    return () => this.#armed.delete(timer);
  };

  /** Waits until a timer of this length is armed, and lets it go off. */
  async fire(ms: number): Promise<void> {
    for (;;) {
      for (const timer of this.#armed) {
        if (timer.ms !== ms) continue;
        this.#armed.delete(timer);
        timer.callback();
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
