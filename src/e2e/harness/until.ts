/** Waiting for a condition with a deadline: never for a time to pass. */

/** How long a condition may take on a slow machine before the test is told that it never came. */
const DEADLINE_MS = 20_000;

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
  const endsAt = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > endsAt) throw new Error(`waited ${deadlineMs} ms for ${what}`);
    await Bun.sleep(2);
  }
}
