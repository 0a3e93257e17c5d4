// SPDX-License-Identifier: Apache-2.0
/** Asking again until there is an answer, at the pace that the gateway wants. */

import { GatewayError } from "./gateway-error.ts";

/** Within this an answer has begun, but for one that was asked to wait. */
export const ANSWER_SECONDS = 15;

/** The pauses between requests double from the first to the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** The same for what the rate limiter refuses, where the first is its `Retry-After`. */
const LONGEST_REFUSED_MS = 300_000;
/** The longest delay `setTimeout` takes, nearly 25 days; a longer one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Time and chance, so that a test can hold them. */
export interface Timing {
  /** Milliseconds that only ever grow. */
  now(): number;
  /** @throws the signal's reason when it is aborted */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** Aborts after so long, with a TimeoutError. */
  limit(ms: number): AbortSignal;
  /** From 0 to below 1. */
  random(): number;
}

/** How long somebody waits, in the milliseconds of `Timing.now`. */
export interface Patience {
  readonly endsAt: number;
  readonly signal: AbortSignal | undefined;
}

/** Aborts after so many seconds, or when the patience's own signal does. */
export function limited(seconds: number, { signal }: Patience, timing: Timing): AbortSignal {
  const late = timing.limit(seconds * 1_000);
  return signal === undefined ? late : AbortSignal.any([late, signal]);
}

/**
 * Does what is safe to do again until it is answered. A pause that would outlast the patience is
 * not begun.
 * @throws GatewayError the last one, at the end of the patience, or at once one that stays
 * @throws the signal's reason when it is aborted
 */
export async function untilAnswered<T>(
  attempt: () => Promise<T>,
  { endsAt, signal }: Patience,
  timing: Timing,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof GatewayError && error.isTemporary)) throw error;
      const pauseMs = pauseAfter(error, failures, timing);
      if (timing.now() + pauseMs > endsAt) throw error;
      await timing.sleep(Math.min(pauseMs, TIMER_MS_MAX), signal);
    }
  }
}

/** A quarter of it is chance, so that tills that were refused together do not return together. */
function pauseAfter({ retryAfterSeconds }: GatewayError, failures: number, timing: Timing): number {
  const first = retryAfterSeconds === undefined ? FIRST_PAUSE_MS : retryAfterSeconds * 1_000;
  const longest = retryAfterSeconds === undefined ? LONGEST_PAUSE_MS : LONGEST_REFUSED_MS;
  const pause = Math.max(first, Math.min(first * 2 ** failures, longest));
  return pause * (1 + timing.random() / 4);
}

export const REAL_TIMING: Timing = {
  now: () => performance.now(),
  random: () => Math.random(),
  limit: (ms) => AbortSignal.timeout(ms),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", abort, { once: true });
    }),
};
