/** A part of a page in a box, with its heading; what is dangerous stands in one of its own, last. */

import { type ReactNode, useId } from "react";
import styles from "./section.module.css";

interface SectionProps {
  readonly title: string;
  /** What it is for, in a sentence. */
  readonly text?: string;
  /** True where something is lost by it. */
  readonly isDanger?: boolean;
  readonly children?: ReactNode;
}

export function Section({ title, text, isDanger = false, children }: SectionProps) {
  const id = useId();
  return (
    <section className={`box ${styles.section}`} data-danger={isDanger} aria-labelledby={id}>
      <h2 className={styles.title} id={id}>
        {title}
      </h2>
      {text !== undefined && <p className="aside">{text}</p>}
      {children}
    </section>
  );
}
