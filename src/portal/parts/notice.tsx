/** A sentence that has to be read, with what can be done about it. */

import type { ReactNode } from "react";
import styles from "./notice.module.css";
import { type Mood, StateShape } from "./state-mark.tsx";

interface NoticeProps {
  readonly mood: Mood;
  readonly text: string;
  /** Buttons. */
  readonly children?: ReactNode;
}

export function Notice({ mood, text, children }: NoticeProps) {
  return (
    <div className={styles.notice} data-mood={mood} role={mood === "bad" ? "alert" : "status"}>
      <span className={styles.said}>
        <StateShape mood={mood} />
        <span className={styles.text}>{text}</span>
      </span>
      {children !== undefined && <span className={styles.deeds}>{children}</span>}
    </div>
  );
}
