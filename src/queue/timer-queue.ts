/**
 * The deadlines of the process by name: command deadlines, retries, purges. Nothing here is stored;
 * whoever owns a deadline sets it again from the database after a start.
 *
 * A deadline is given as an instant and kept as a distance, so that a wall clock that is set right
 * later, as on an appliance without a battery, neither skips deadlines nor puts them off.
 */

import type { Clock } from "../platform/clock.ts";

/** Waiting before what the database has refused is tried again. */
const RETRY_MS = 1_000;

export class TimerQueue {
  readonly #clock: Clock;
  /** What cancels the timer of each key. */
  readonly #cancels = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Number of deadlines that are set. */
  get size(): number {
    return this.#cancels.size;
  }

  /**
   * Calls `fire` once at `dueAt` or soon after; replaces what was set under the key.
   * @param dueAt UTC milliseconds; in the past means at the next turn
   */
  set(key: string, dueAt: number, fire: () => void): void {
    this.cancel(key);
    const distanceMs = Math.max(0, dueAt - this.#clock.now());
    const cancel = this.#clock.setTimer(distanceMs, () => {
      this.#cancels.delete(key);
      fire();
    });
    this.#cancels.set(key, cancel);
  }

  /** The database has refused something: calls `fire` in a moment, to try it again. As `set` does. */
  again(key: string, fire: () => void): void {
    this.set(key, this.#clock.now() + RETRY_MS, fire);
  }

  /** True while a deadline is set under the key. */
  has(key: string): boolean {
    return this.#cancels.has(key);
  }

  /** Forgets a deadline; harmless when there is none. */
  cancel(key: string): void {
    this.#cancels.get(key)?.();
    this.#cancels.delete(key);
  }

  /** Forgets everything. */
  clear(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}
