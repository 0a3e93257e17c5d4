/**
 * The time by which what is stored for weeks and years grows old. Counted time never believes a clock
 * that was set, which is right for windows of a day; but a machine first started in a wrong year would
 * keep everything that year longer. So this one believes a clock that has stayed as it was set.
 */

/** A clock that nobody has set again for so long of counted time is right. */
export const BELIEVED_AFTER_MS = 30 * 86_400_000;
/** The small steps of a clock that is kept right amount to less. */
const SAME_MS = 3_600_000;

/** How the wall clock has stood against counted time. Milliseconds. */
export interface ClockStanding {
  /** By which the wall clock was ahead of counted time when it was last set. */
  readonly ahead: number;
  /** Counted time at which it was. */
  readonly since: number;
  /** By which it was ahead when it was last believed. */
  readonly believed: number;
}

/**
 * @param before where it was looked at before
 * @param wall UTC milliseconds, as the wall clock shows them
 * @param counted UTC milliseconds of counted time
 */
export function standingOf(
  before: ClockStanding | undefined,
  wall: number,
  counted: number,
): ClockStanding {
  const ahead = wall - counted;
  if (before === undefined) return { ahead, since: counted, believed: 0 };
  if (Math.abs(ahead - before.ahead) > SAME_MS) return { ...before, ahead, since: counted };
  const isBelieved = counted - before.since >= BELIEVED_AFTER_MS;
  return isBelieved ? { ...before, believed: before.ahead } : before;
}

/** The time by which stored rows grow old: never later than the wall clock. UTC milliseconds. */
export function ageingTime(standing: ClockStanding, wall: number, counted: number): number {
  return Math.min(wall, counted + standing.believed);
}
