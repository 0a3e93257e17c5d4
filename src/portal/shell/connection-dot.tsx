/** Whether what stands here is as it is now. */

import { useEffect, useRef } from "react";
import { useNow, useReach } from "../api/hooks.ts";
import { watchLife } from "../api/reach.ts";
import { type Mood, StateShape } from "../parts/state-mark.tsx";
import { useFormat, useWords } from "../words/words.tsx";
import styles from "./shell.module.css";

const MOODS = { live: "good", reconnecting: "warn", silent: "bad" } as const satisfies Record<
  string,
  Mood
>;

/** One breath, and the least from one to the next, in milliseconds. */
const BREATH_MS = 600;
const PAUSE_MS = 4_000;

/** Who has asked the system for little motion gets none here. */
const LITTLE_MOTION = "(prefers-reduced-motion: reduce)";

/**
 * It takes a breath as the box is heard: that shows that it is live, and in between nothing moves. A
 * tablet has no rest while anything on a page goes on for ever.
 */
export function ConnectionDot() {
  const { t } = useWords();
  const format = useFormat();
  const reach = useReach();
  const now = useNow(reach.kind === "live" ? null : 1_000);
  const age = reach.kind === "live" ? "" : format.duration(now - reach.since);
  const dot = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let begunAt = Number.NEGATIVE_INFINITY;
    return watchLife(() => {
      const now = performance.now();
      if (now - begunAt < PAUSE_MS || matchMedia(LITTLE_MOTION).matches) return;
      begunAt = now;
      const shape = dot.current?.querySelector("svg");
      shape?.animate({ opacity: [1, 0.4, 1] }, { duration: BREATH_MS, easing: "ease-in-out" });
    });
  }, []);
  return (
    <span ref={dot} className={styles.dot} data-reach={reach.kind}>
      <StateShape mood={MOODS[reach.kind]} />
      <span>{t(`reach.${reach.kind}`, { age })}</span>
    </span>
  );
}
