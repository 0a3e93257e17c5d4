/** Thermal paper: receipts, reports and slips are drawn by it everywhere, and print as they look. */

import type { CSSProperties, ReactNode } from "react";
import styles from "./paper.module.css";
import { layOut, type PaperLine } from "./paper-lines.ts";

/** Columns of most fiscal printers. */
export const COLUMNS = 48;

/** The types of styles know no variables. */
const cssVariables = (variables: Record<`--${string}`, number>): CSSProperties => variables;

/** What is drawn, and what is said of it. */
export interface PaperProps {
  readonly lines: readonly PaperLine[];
  /** Says what is on it, for who does not see it. */
  readonly label: string;
  /** Of the printer, 48 unless given. */
  readonly columns?: number | undefined;
  /** Below the paper: that it is a picture of the data. */
  readonly note?: ReactNode;
}

export function Paper({ lines, label, columns = COLUMNS, note }: PaperProps) {
  return (
    <figure className={styles.figure} aria-label={label}>
      <div className={styles.sheet}>
        <div className={styles.paper}>
          <pre className={styles.text} style={cssVariables({ "--columns": columns })}>
            {layOut(lines, columns).map(({ text, isStrong }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
              <span key={at} className={isStrong ? styles.strong : undefined}>
                {`${text}\n`}
              </span>
            ))}
          </pre>
        </div>
      </div>
      {note !== undefined && <figcaption className="aside">{note}</figcaption>}
    </figure>
  );
}
