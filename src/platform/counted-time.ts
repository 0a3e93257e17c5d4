/**
 * Time by which windows of hours and days run out: that of the wall clock, without the steps in
 * which it is set. A clock that is set two days forward, a machine that slept and one that started
 * without knowing the time do not make anything expire. Between two runs within one boot the time since
 * the boot tells how much has passed.
 */

import type { Boot } from "./boot.ts";
import type { Clock } from "./clock.ts";

/** The wall clock may differ this much from the time that has passed before that is a step. */
const STEP_MS = 60_000;
/** A machine that was off for longer than this has a clock that is not to be believed. */
const OFF_MS_MAX = 7 * 86_400_000;

/** Both times at one instant, for the next start. UTC milliseconds. */
export interface CountedTimeRecord {
  /** See `asStored`. */
  readonly wall: number;
  readonly counted: number;
  /** The boot, and the milliseconds since it, where they are known. */
  readonly boot?: { readonly id: string; readonly uptime: number };
}

export class CountedTime {
  readonly #clock: Pick<Clock, "now" | "elapsed">;
  #wall: number;
  #elapsed: number;
  #counted: number;
  #steps = 0;
  readonly #boot: Boot | undefined;

  /**
   * @param kept of the last run, where there was one
   * @param boot this one, where it can be told
   */
  constructor(clock: Pick<Clock, "now" | "elapsed">, kept?: CountedTimeRecord, boot?: Boot) {
    this.#clock = clock;
    this.#boot = boot;
    this.#wall = clock.now();
    this.#elapsed = clock.elapsed();
    this.#counted = kept?.counted ?? this.#wall;
    if (kept === undefined) return;
    const offMs = this.#wall - kept.wall;
    const passed = passedSince(kept.boot, boot);
    this.#count(offMs, passed === undefined ? believedOff(offMs) : withoutStep(offMs, passed));
  }

  /** UTC milliseconds, as the wall clock would show them had it never been set. */
  now(): number {
    const wall = this.#clock.now();
    const elapsed = this.#clock.elapsed();
    const byWall = wall - this.#wall;
    const byElapsed = elapsed - this.#elapsed;
    this.#wall = wall;
    this.#elapsed = elapsed;
    this.#count(byWall, withoutStep(byWall, byElapsed));
    return Math.round(this.#counted);
  }

  #count(byWall: number, passed: number): void {
    this.#counted += passed;
    this.#steps += byWall - passed;
  }

  /** How far the wall clock was set since `takeSteps` was called; 0 when it was not. Milliseconds. */
  get steps(): number {
    this.now();
    return Math.round(this.#steps);
  }

  /** The same, which is taken by that: whoever does so moves what is stored by the wall clock. */
  takeSteps(): number {
    const { steps } = this;
    this.#steps -= steps;
    return steps;
  }

  /** What was taken could not be stored: it is to be taken again. @param ms as `takeSteps` gave it */
  giveBack(ms: number): void {
    this.#steps += ms;
  }

  /**
   * The wall clock by which is stored what ends by it: as that would be without the steps that nobody has
   * taken. What is made by it is moved with the rest, whoever made it, and whenever a step is noticed.
   * UTC milliseconds.
   */
  asStored(): number {
    const { steps } = this;
    return this.#wall - steps;
  }

  /** What the next start needs. */
  record(): CountedTimeRecord {
    const counted = this.now();
    const boot = this.#boot && { id: this.#boot.id, uptime: Math.round(this.#boot.uptime()) };
    // A step that nobody has taken is one for the next start too.
    return { wall: this.asStored(), counted, ...(boot && { boot }) };
  }
}

/** What has passed by the wall clock, unless that was set meanwhile. Milliseconds. */
function withoutStep(byWall: number, passed: number): number {
  return Math.abs(byWall - passed) <= STEP_MS ? byWall : passed;
}

/** How long a machine was off, of which nothing but its clock can tell. Milliseconds. */
function believedOff(byWall: number): number {
  return byWall >= 0 && byWall <= OFF_MS_MAX ? byWall : 0;
}

/** Milliseconds since a record was made, where that was in this boot. */
function passedSince(kept: CountedTimeRecord["boot"], boot: Boot | undefined): number | undefined {
  if (kept === undefined || kept.id !== boot?.id) return undefined;
  const passed = Math.round(boot.uptime()) - kept.uptime;
  return passed >= 0 ? passed : undefined;
}
