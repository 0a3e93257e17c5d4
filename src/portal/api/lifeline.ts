/**
 * Whether there is still somebody at the other end of what is listened to. A box that lost its power, or
 * a phone that was out of reach, ends no connection: it only brings nothing more.
 */

import { watchFailures } from "./reach.ts";

/** As long it may take to open. */
const OPEN_MS = 5_000;
/** The gateway says something each 15 seconds; one that is only slow to say it costs another connection. */
const SILENCE_MS = 20_000;

/** What `lifeline` gives. */
export interface Lifeline {
  /** Something came over it, or it was opened. */
  heard(): void;
  /** It is over, whoever ended it. */
  over(): void;
}

/**
 * @param dead called once, when nobody is there: as far as the page knows nothing has ended
 * @param openMs as long it may take to open, where the box itself waits for somebody
 */
export function lifeline(dead: () => void, openMs = OPEN_MS): Lifeline {
  let stopWatching: (() => void) | undefined;
  const over = () => {
    clearTimeout(timer);
    stopWatching?.();
  };
  const end = () => {
    over();
    dead();
  };
  let timer = setTimeout(end, openMs);
  return {
    heard() {
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE_MS);
      // One that is still being opened may wait for the same slow box as whoever asked.
      stopWatching ??= watchFailures(end);
    },
    over,
  };
}
