/** What happened, one after the other. */

import type { ReactNode } from "react";
import { useFormat } from "../words/words.tsx";
import { type Mood, StateShape } from "./state-mark.tsx";
import styles from "./time-line.module.css";

/** Something that happened. */
export interface Moment {
  readonly key: string;
  /** ISO 8601; null leaves it out. */
  readonly at: string | null;
  readonly mood: Mood;
  readonly text: string;
  readonly aside?: ReactNode;
}

/** @param moments in any order */
export function TimeLine({
  moments,
  label,
}: {
  readonly moments: readonly Moment[];
  label: string;
}) {
  const format = useFormat();
  const told = moments
    .flatMap(({ at, ...rest }) => (at === null ? [] : [{ ...rest, at }]))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <ol className={styles.line} aria-label={label}>
      {told.map(({ key, at, mood, text, aside }) => (
        <li key={key} className={styles.moment}>
          <StateShape mood={mood} />
          <span className={styles.text}>
            {text}
            {aside !== undefined && <span className="aside">{aside}</span>}
          </span>
          <time className="aside" dateTime={at}>
            {format.dateTime(at)}
          </time>
        </li>
      ))}
    </ol>
  );
}
