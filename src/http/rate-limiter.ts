/** Counting requests in fixed windows. */

import type { Clock } from "../platform/clock.ts";

/** Clients one limiter remembers at most; beyond that the one counted longest ago is forgotten. */
const CLIENTS_MAX = 50_000;

/** Where a client stands in its window. */
export interface RateState {
  readonly limit: number;
  /** Requests left; 0 when none is. */
  readonly remaining: number;
  /** Until the window ends; at least 1. */
  readonly resetSeconds: number;
  /** False when this request was one too many. */
  readonly isAllowed: boolean;
}

interface Window {
  /** By `elapsed` of the clock: a wall clock that is set neither ends a window nor makes it longer. */
  readonly startedAt: number;
  count: number;
}

/** One bucket: so many requests of one client in one window, which begins with its first request. */
export class RateLimiter {
  // In order of their beginning, so the first is always the oldest.
  readonly #windows = new Map<string, Window>();
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #clock: Pick<Clock, "elapsed">;
  readonly #clientsMax: number;

  /** @param options.limit requests, at least 1; `clientsMax` bounds the memory */
  constructor(options: {
    readonly limit: number;
    readonly windowSeconds: number;
    readonly clock: Pick<Clock, "elapsed">;
    readonly clientsMax?: number;
  }) {
    this.#limit = options.limit;
    this.#windowMs = options.windowSeconds * 1000;
    this.#clock = options.clock;
    this.#clientsMax = options.clientsMax ?? CLIENTS_MAX;
  }

  /** Counts one request of this client. */
  take(client: string): RateState {
    const now = this.#clock.elapsed();
    const window = this.#current(client, now) ?? this.#begin(client, now);
    window.count += 1;
    return this.#state(window, now);
  }

  /** Counts one request less. */
  giveBack(client: string): RateState {
    const now = this.#clock.elapsed();
    const window = this.#current(client, now);
    if (window === undefined) return this.#state({ startedAt: now, count: 0 }, now);
    window.count = Math.max(0, window.count - 1);
    return this.#state(window, now);
  }

  /** Where the client stands, without counting. */
  peek(client: string): RateState {
    const now = this.#clock.elapsed();
    return this.#state(this.#current(client, now) ?? { startedAt: now, count: 0 }, now);
  }

  /** Clients remembered now. */
  get size(): number {
    return this.#windows.size;
  }

  #current(client: string, now: number): Window | undefined {
    const window = this.#windows.get(client);
    if (window === undefined) return undefined;
    return now - window.startedAt < this.#windowMs ? window : undefined;
  }

  #begin(client: string, now: number): Window {
    this.#windows.delete(client);
    if (this.#windows.size >= this.#clientsMax) {
      for (const oldest of this.#windows.keys()) {
        this.#windows.delete(oldest);
        break;
      }
    }
    const window = { startedAt: now, count: 0 };
    this.#windows.set(client, window);
    return window;
  }

  #state(window: Window, now: number): RateState {
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - window.count),
      resetSeconds: Math.max(1, Math.ceil((window.startedAt + this.#windowMs - now) / 1000)),
      isAllowed: window.count <= this.#limit,
    };
  }
}
