/**
 * Watches the credentials of those whose answer or socket goes on, so that it ends when they do.
 *
 * Everybody is looked at once a second, by the same rule as a request. So it does not matter what
 * ended a credential: its time, a set clock, this process, or another one at the box.
 */

import type { Principal } from "#core/access.ts";
import type { WatchAccess } from "../../http/access.ts";
import type { Clock } from "../../platform/clock.ts";
import { requireStanding, type StandingOptions } from "./standing.ts";

const LOOK_MS = 1_000;

export interface AccessWatchOptions extends StandingOptions {
  readonly clock: Pick<Clock, "now" | "setTimer">;
}

/** Somebody whose access goes on. */
interface Watched {
  readonly principal: Principal;
  readonly ended: (why: unknown) => void;
}

/** Makes the watch. It has a timer only while it watches somebody. */
export function createAccessWatch(options: AccessWatchOptions): WatchAccess {
  const watched = new Set<Watched>();
  let cancelTimer: (() => void) | undefined;

  const isOpen = (one: Watched): boolean => {
    if (!watched.has(one)) return false;
    try {
      requireStanding(options, one.principal);
      return true;
    } catch (error) {
      // What cannot be looked up, because the database is gone, is not open either.
      leave(one);
      one.ended(error);
      return false;
    }
  };
  const leave = (one: Watched): void => {
    watched.delete(one);
    if (watched.size > 0) return;
    cancelTimer?.();
    cancelTimer = undefined;
  };
  const look = (): void => {
    cancelTimer = undefined;
    for (const one of [...watched]) isOpen(one);
    wait();
  };
  const wait = (): void => {
    if (watched.size > 0) cancelTimer ??= options.clock.setTimer(LOOK_MS, look);
  };

  return (principal, ended) => {
    const one = { principal, ended };
    watched.add(one);
    wait();
    return { isOpen: () => isOpen(one), leave: () => leave(one) };
  };
}
