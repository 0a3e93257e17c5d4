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
  readonly #random: DriverEnvironment["random"];
  #stepMax = 1;
  #last: number;

  /**
   * Goes on behind the last number that the device was sent, where that is known. Where it is not,
   * the first number is drawn by lot, once, and may be the device's last one all the same.
   */
  constructor(environment: Pick<DriverEnvironment, "random" | "remembered">, range: NumberRange) {
    const { min, max } = range;
    this.#range = range;
    this.#random = (bound) => environment.random(bound);
    this.#remembered = environment.remembered;
    const last = Number(environment.remembered.get(LAST));
    const isKnown = Number.isInteger(last) && last >= min && last <= max;
    this.#last = isKnown ? last : min + environment.random(max - min + 1) - 1;
  }

  /**
   * From now on draws each number from so many that follow the last one. Two hosts that both count by
   * one may come to count in step: then the device takes each frame of the second for that of the
   * first sent again, and answers it with what came of the other host's.
   */
  spread(stepMax: number): void {
    this.#stepMax = stepMax;
  }

  /** The number of the next frame; behind the greatest comes the least again. */
  next(): number {
    const { min, max } = this.#range;
    const step = this.#stepMax > 1 ? 1 + this.#random(this.#stepMax) : 1;
    const next = this.#last + step;
    this.#last = next > max ? next - (max - min + 1) : next;
    this.#remembered.set(LAST, String(this.#last));
    return this.#last;
  }
}
