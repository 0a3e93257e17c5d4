/**
 * The running numbers of the frames that go to one device. A device takes a frame with the number
 * of its last one for the same frame sent again, so numbers go on from line to line.
 */

import type { DriverEnvironment } from "#core/driver.ts";

/** The least and the greatest number that is given out. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** Under what the last number that was given out is remembered. */
const LAST = "frameNumber";

export class FrameNumbers {
  readonly #range: NumberRange;
  readonly #remembered: Map<string, string>;
  #last: number;

  /**
   * Goes on behind the last number that the device was sent, where that is known. Where it is not,
   * the first number is drawn by lot, once, and may be the device's last one all the same.
   */
  constructor(environment: Pick<DriverEnvironment, "random" | "remembered">, range: NumberRange) {
    const { min, max } = range;
    this.#range = range;
    this.#remembered = environment.remembered;
    const last = Number(environment.remembered.get(LAST));
    const isKnown = Number.isInteger(last) && last >= min && last <= max;
    this.#last = isKnown ? last : min + environment.random(max - min + 1) - 1;
  }

  /** The number of the next frame; behind the greatest comes the least again. */
  next(): number {
    const { min, max } = this.#range;
    this.#last = this.#last >= max ? min : this.#last + 1;
    this.#remembered.set(LAST, String(this.#last));
    return this.#last;
  }
}
