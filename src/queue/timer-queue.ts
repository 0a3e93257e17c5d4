/**
 * All deadlines of the process in one heap behind one timer: command deadlines, retries, purges.
 * Nothing here is stored; whoever owns a deadline sets it again from the database after a start.
 *
 * A deadline is given as an instant and kept as a distance, so that a wall clock that is set right
 * later, as on an appliance without a battery, neither skips deadlines nor puts them off.
 */

import type { Clock } from "../platform/clock.ts";

interface Entry {
  readonly key: string;
  /** By the clock's `elapsed`. */
  readonly dueAt: number;
  readonly fire: () => void;
}

/** Cancelled entries stay in the heap until they make up this many, or half of it. */
const DEAD_MAX = 1024;

export class TimerQueue {
  readonly #clock: Clock;
  /** The live entry of each key. */
  readonly #live = new Map<string, Entry>();
  #heap: Entry[] = [];
  #cancelTimer: (() => void) | undefined;
  #armedFor = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Number of deadlines that are set. */
  get size(): number {
    return this.#live.size;
  }

  /**
   * Calls `fire` once at `dueAt` or soon after; replaces what was set under the key.
   * @param dueAt UTC milliseconds; in the past means at the next turn
   */
  set(key: string, dueAt: number, fire: () => void): void {
    const entry = { key, dueAt: this.#clock.elapsed() + dueAt - this.#clock.now(), fire };
    this.#live.set(key, entry);
    this.#push(entry);
    this.#compact();
    this.#arm();
  }

  /** Forgets a deadline; harmless when there is none. */
  cancel(key: string): void {
    this.#live.delete(key);
  }

  /** Forgets everything. */
  clear(): void {
    this.#live.clear();
    this.#heap = [];
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  #isLive(entry: Entry): boolean {
    return this.#live.get(entry.key) === entry;
  }

  #arm(): void {
    const dueAt = this.#heap[0]?.dueAt ?? Number.POSITIVE_INFINITY;
    // A timer that fires too early only looks again, so it is moved forward but never back.
    if (dueAt >= this.#armedFor) return;
    this.#cancelTimer?.();
    this.#armedFor = dueAt;
    this.#cancelTimer = this.#clock.setTimer(Math.max(0, dueAt - this.#clock.elapsed()), () =>
      this.#fireDue(),
    );
  }

  #fireDue(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#cancelTimer = undefined;
    const now = this.#clock.elapsed();
    for (let first = this.#heap[0]; first; first = this.#heap[0]) {
      if (this.#isLive(first)) {
        if (first.dueAt > now) break;
        this.#pop();
        this.#live.delete(first.key);
        first.fire();
      } else {
        this.#pop();
      }
    }
    this.#arm();
  }

  #compact(): void {
    const dead = this.#heap.length - this.#live.size;
    if (dead < DEAD_MAX || dead < this.#heap.length / 2) return;
    // A sorted array is a heap.
    this.#heap = [...this.#live.values()].sort((a, b) => a.dueAt - b.dueAt);
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.dueAt <= entry.dueAt) break;
      heap[index] = above;
      heap[parent] = entry;
      index = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      const [a, b] = [heap[left], heap[right]];
      const smaller = b !== undefined && a !== undefined && b.dueAt < a.dueAt ? right : left;
      const child = heap[smaller];
      if (child === undefined || child.dueAt >= last.dueAt) break;
      heap[index] = child;
      index = smaller;
    }
    heap[index] = last;
  }
}
