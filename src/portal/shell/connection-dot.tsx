/** Whether what stands here is as it is now. */

import { useNow, useReach } from "../api/hooks.ts";
import { type Mood, StateShape } from "../parts/state-mark.tsx";
import { useFormat, useWords } from "../words/words.tsx";
import styles from "./shell.module.css";

const MOODS = { live: "good", reconnecting: "warn", silent: "bad" } as const satisfies Record<
  string,
  Mood
>;

export function ConnectionDot() {
  const { t } = useWords();
  const format = useFormat();
  const reach = useReach();
  const now = useNow(reach.kind === "live" ? null : 1_000);
  const age = reach.kind === "live" ? "" : format.duration(now - reach.since);
  return (
    <span className={styles.dot} data-reach={reach.kind}>
      <StateShape mood={MOODS[reach.kind]} />
      <span>{t(`reach.${reach.kind}`, { age })}</span>
    </span>
  );
}
