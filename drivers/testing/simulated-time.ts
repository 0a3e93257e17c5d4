/**
 * Time that is simulated for as many devices, drivers and gateways as a test has. It moves by itself, but only while everything stands still: no
 * caller of the API waits for an answer, nothing is on its way on any line, and a number of turns
 * of the event loop bring nothing new. Then it jumps to the next timer, whoever set it: the
 * gateway, a driver, a simulated device or the test itself. How fast the machine is, and what else
 * it does, decides nothing but how long the test takes.
 */

import { FakeClock } from "#src/platform/clock.ts";
import { DEADLINE_MS } from "#src/platform/testing/deadline.ts";
import type { Wire } from "./wire.ts";

/**
 * Turns of the event loop in which nothing happens, after which nothing will: what needs no
 * network goes on in the next turn, and no chain of the gateway has so many steps.
 */
const STILL_TURNS = 8;
/** The same while the gateway stops, because the end of its server is not seen on any line. */
const STOPPING_TURNS = 10_000;

export class SimulatedTime {
  readonly clock: FakeClock;
  readonly #wires: Wire[] = [];
  /** Calls whose answers are waited for. */
  #calls = 0;
  #callsMade = 0;
  #stopping = 0;
  /** Ends a wait for the calls that are being answered. */
  #wake: (() => void) | undefined;
  /** Of what runs in the background. */
  #failure: { readonly error: unknown } | undefined;
  /** Jumps to a next timer so far. */
  jumps = 0;

  /** @param startAt UTC milliseconds; as the clock's when absent */
  constructor(startAt?: number) {
    this.clock = new FakeClock(startAt);
  }

  /** Time stands still while anything is on its way here. */
  watch(wire: Wire): void {
    this.#wires.push(wire);
  }

  now(): number {
    return this.clock.now();
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.setTimer(ms, resolve);
    });
  }

  /** Takes a failure of something that nobody waits for; `run` then fails with it. */
  inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.#failure ??= { error };
      this.#wake?.();
    });
  }

  /** Resolves at an instant; at once when that is past. */
  sleepUntil(instant: number): Promise<void> {
    return this.sleep(Math.max(0, instant - this.now()));
  }

  /** Time stands still until this work, which needs none, is done. */
  async standing<T>(work: () => Promise<T>): Promise<T> {
    this.#calls += 1;
    this.#callsMade += 1;
    try {
      return await work();
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0) this.#wake?.();
    }
  }

  /** Waits for the end of something that may need time, such as a driver that is asked to stop. */
  async stopping(work: () => Promise<void>): Promise<void> {
    this.#stopping += 1;
    try {
      await work();
    } finally {
      this.#stopping -= 1;
    }
  }

  /**
   * Lets time pass until `work` is done.
   * @throws what `work` throws, or an Error when nothing will ever happen again
   */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const watched = work.finally(() => {
      isDone = true;
      this.#wake?.();
    });
    // Time goes on until the work is over; its failure is told by the last line.
    watched.catch(() => undefined);
    while (!isDone) {
      await this.#standstill(() => isDone);
      const failure = this.#failure;
      // Told once, so that what is switched off afterwards still can be.
      this.#failure = undefined;
      if (failure) throw failure.error;
      if (isDone) break;
      const nextMs = this.clock.nextTimerMs;
      if (nextMs === undefined) throw new Error("nothing will ever happen again");
      this.jumps += 1;
      this.clock.advance(nextMs);
    }
    return watched;
  }

  async #standstill(isDone: () => boolean): Promise<void> {
    let giveUpAt = performance.now() + DEADLINE_MS;
    let still = 0;
    let seen = this.#progress();
    while (!isDone() && still < (this.#stopping > 0 ? STOPPING_TURNS : STILL_TURNS)) {
      await (this.#calls > 0 ? this.#answers(giveUpAt) : turn());
      const current = this.#progress();
      const hasMoved = current !== seen;
      const isStill = !hasMoved && this.#isQuiet();
      still = isStill ? still + 1 : 0;
      seen = current;
      if (hasMoved) giveUpAt = performance.now() + DEADLINE_MS;
      if (!isStill && performance.now() > giveUpAt) throw new Error(this.#describe());
    }
  }

  /** Resolves when no call is being answered any more, or something else ends the wait. */
  #answers(giveUpAt: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, giveUpAt - performance.now()));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #isQuiet(): boolean {
    if (this.#calls > 0 || this.clock.pendingMachineTimers > 0) return false;
    return this.#wires.every((wire) => wire.isQuiet);
  }

  /** A number that changes with everything that happens outside the processor. */
  #progress(): number {
    return this.#wires.reduce((sum, wire) => sum + wire.bytes, this.#callsMade);
  }

  #describe(): string {
    const lines = this.#wires.filter((wire) => !wire.isQuiet).map((wire) => wire.describe());
    return `did not come to rest: ${this.#calls} calls; ${lines.join(" | ")}`;
  }
}

/** One turn of the event loop, input and output included. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
