/** How much somebody may do: so much at once, and then so much a second. */

import type { Clock } from "./clock.ts";

export interface AllowanceSize {
  /** What is allowed at once, after a pause. */
  readonly burst: number;
  readonly perSecond: number;
}

export class Allowance {
  readonly #size: AllowanceSize;
  readonly #clock: Pick<Clock, "elapsed">;
  #left: number;
  /** When `#left` was worked out, by `elapsed`. */
  #at: number;

  constructor(size: AllowanceSize, clock: Pick<Clock, "elapsed">) {
    this.#size = size;
    this.#clock = clock;
    this.#left = size.burst;
    this.#at = clock.elapsed();
  }

  /** Uses up one, or a part of it. @returns false when not so much is left */
  take(part = 1): boolean {
    const { burst, perSecond } = this.#size;
    const now = this.#clock.elapsed();
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1_000) * perSecond);
    this.#at = now;
    if (this.#left < part) return false;
    this.#left -= part;
    return true;
  }

  /** One that was taken does not count after all. */
  giveBack(): void {
    this.#left = Math.min(this.#size.burst, this.#left + 1);
  }
}
