/** How something is: a shape, a colour and a word, so that no one of them is needed to see it. */

import styles from "./state-mark.module.css";

/** How good a state is. `work` is what goes on; `idle` is nothing to look at. */
export type Mood = "good" | "work" | "warn" | "bad" | "idle";

const SHAPES: Readonly<Record<Mood, string>> = {
  good: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z",
  work: "M1.5 2.5 14 8 1.5 13.5z",
  warn: "M8 1.5 15 14H1z",
  bad: "M2 2h12v12H2z",
  idle: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zm0 2.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
};

interface StateMarkProps {
  readonly mood: Mood;
  /** What the state is called. */
  readonly word: string;
  /** A coloured field around it, for lists and heads. */
  readonly isFilled?: boolean;
}

export function StateMark({ mood, word, isFilled = false }: StateMarkProps) {
  return (
    <span className={styles.mark} data-mood={mood} data-filled={isFilled}>
      <StateShape mood={mood} />
      <span>{word}</span>
    </span>
  );
}

/** The shape alone, beside words that say the state themselves. */
export function StateShape({ mood }: { readonly mood: Mood }) {
  return (
    <svg
      className={styles.shape}
      data-mood={mood}
      width={14}
      height={14}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={SHAPES[mood]} fillRule="evenodd" />
    </svg>
  );
}
