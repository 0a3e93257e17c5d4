/** Events flow while somebody is signed in, and the box is looked after. */

import { useEffect } from "react";
import { followEvents } from "../api/live.ts";
import { watchBox } from "../api/reach.ts";
import { readAgainWhenHeard } from "../api/recovery.ts";

/** @param isOn false until there is somebody whose events they are */
export function useLive(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    void followEvents(stop.signal);
    const stopWatching = watchBox();
    const stopAsking = readAgainWhenHeard();
    return () => {
      stop.abort();
      stopWatching();
      stopAsking();
    };
  }, [isOn]);
}
