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
  /** What is said in place of `at`: of what lasted, from when until when. */
  readonly when?: string;
  readonly aside?: ReactNode;
}

interface TimeLineProps {
  /** In any order. */
  readonly moments: readonly Moment[];
  readonly label: string;
  /** True for a history, read from today back; else it is a story, read from its beginning. */
  readonly newestFirst?: boolean;
}

export function TimeLine({ moments, label, newestFirst = false }: TimeLineProps) {
  const format = useFormat();
  const forward = newestFirst ? -1 : 1;
  const told = moments
    .flatMap(({ at, ...rest }) => (at === null ? [] : [{ ...rest, at }]))
    .toSorted((a, b) => forward * (Date.parse(a.at) - Date.parse(b.at)));
  return (
    <ol className={styles.line} aria-label={label}>
      {told.map(({ key, at, mood, text, when, aside }) => (
        <li key={key} className={styles.moment}>
          <StateShape mood={mood} />
          <span className={styles.text}>
            {text}
            {aside !== undefined && <span className="aside">{aside}</span>}
          </span>
          <time className="aside" dateTime={at}>
            {when ?? format.dateTime(at)}
          </time>
        </li>
      ))}
    </ol>
  );
}
