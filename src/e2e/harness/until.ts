/** Waiting for a condition with a deadline: never for a time to pass. */

import { DEADLINE_MS } from "../../platform/testing/deadline.ts";

/**
 * Between two looks, in milliseconds: soon at first, for most of what is waited for is about to come;
 * then a share of the time waited so far, for a look costs the programs that are waited for what
 * they need to get there.
 */
const PAUSE_MS = 2;
const PAUSE_MS_MAX = 500;
const PAUSE_SHARE = 0.1;

/**
 * Looks again and again until there is something.
 * @param what for the message when it never comes
 * @param look returns undefined or false while it is not there yet
 * @throws Error after the deadline
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs: number = DEADLINE_MS,
): Promise<T> {
  const begunAt = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const waitedMs = performance.now() - begunAt;
    if (waitedMs > deadlineMs) throw new Error(`waited ${deadlineMs} ms for ${what}`);
    await Bun.sleep(Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS, waitedMs * PAUSE_SHARE)));
  }
}
