/**
 * Whether a clock that was ahead made something: what lasts for a while and was made in the year 2046
 * would be good until then, once the clock is right.
 */

/** What is kept may be so much younger than the clock is now: clocks are set by seconds all the time. */
const AHEAD_MS_MAX = 60_000;

/** What is good from one instant on to another. UTC milliseconds. */
export interface Lasting {
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** True for an instant that lies further ahead than a clock does which is right. UTC milliseconds. */
export function isAhead(at: number, now: number, aheadMs: number = AHEAD_MS_MAX): boolean {
  return at > now + aheadMs;
}

/**
 * True while it is good, as far as the clock is to be believed.
 * @param now UTC milliseconds
 * @param aheadMs how far behind a clock may be which is still believed; a minute unless given
 */
export function isOfNow({ createdAt, expiresAt }: Lasting, now: number, aheadMs?: number): boolean {
  return now < expiresAt && !isAhead(createdAt, now, aheadMs);
}
