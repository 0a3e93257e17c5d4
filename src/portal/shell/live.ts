/** Events flow while somebody is signed in, and the box is looked after. */

import { useEffect, useSyncExternalStore } from "react";
import { followEvents } from "../api/live.ts";
import { watchBox } from "../api/reach.ts";
import { readAgainWhenHeard } from "../api/recovery.ts";
import { currentUser, watchSession } from "../api/session.ts";

/** As whoever is signed in, also where that is somebody else by now. */
export function useLive(): void {
  const who = useSyncExternalStore(watchSession, currentUser);
  useEffect(() => {
    if (who === undefined) return;
    const stop = new AbortController();
    void followEvents(who, stop.signal);
    const stopWatching = watchBox();
    const stopAsking = readAgainWhenHeard();
    return () => {
      stop.abort();
      stopWatching();
      stopAsking();
    };
  }, [who]);
}
