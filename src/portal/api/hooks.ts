/** The session and the reach of the box, for components. */

import { createContext, use, useEffect, useState, useSyncExternalStore } from "react";
import { boxNow } from "./box-clock.ts";
import { currentReach, type Reach, watchReach } from "./reach.ts";
import { currentSession, type Session, watchSession } from "./session.ts";

/**
 * Whose pages these are, for what stands on them: they stay that person's while the session is
 * interrupted.
 */
export const PageSession = createContext<Session | undefined>(undefined);

/** Who is signed in; on a page, whose page it is. */
export function useSession(): Session {
  const now = useSyncExternalStore(watchSession, currentSession);
  return use(PageSession) ?? now;
}

/** How far the box can be heard, always as it is now. */
export function useReach(): Reach {
  return useSyncExternalStore(watchReach, currentReach);
}

/** The organization of whoever is signed in; undefined while nobody is. */
export function useOrganization() {
  const session = useSession();
  return session.kind === "in" ? session.organization : undefined;
}

const RANKS = { operator: 0, admin: 1, owner: 2 } as const;

/** True when whoever is signed in may do what the role may. */
export function useMay(role: keyof typeof RANKS): boolean {
  return useMayWhat()(role);
}

/** Tells of several roles what `useMay` tells of one. */
export function useMayWhat(): (role: keyof typeof RANKS) => boolean {
  const session = useSession();
  return (role) => session.kind === "in" && RANKS[session.user.role] >= RANKS[role];
}

/** The time at the box, again every so often. @param everyMs null stands still */
export function useBoxNow(everyMs: number | null): number {
  return useTicking(boxNow, everyMs);
}

/** The time of this computer, for what it has seen itself. @param everyMs null stands still */
export function useNow(everyMs: number | null): number {
  return useTicking(Date.now, everyMs);
}

function useTicking(clock: () => number, everyMs: number | null): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    if (everyMs === null) return;
    setNow(clock());
    const timer = setInterval(() => setNow(clock()), everyMs);
    return () => clearInterval(timer);
  }, [clock, everyMs]);
  return now;
}
