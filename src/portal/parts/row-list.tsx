/** Rows that lead to a page of their own: what it is, a line about it, and how it is. */

import type { ReactNode } from "react";
import { Link } from "wouter";
import { Icon } from "./icon.tsx";
import styles from "./row-list.module.css";

export function RowList({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}

interface LinkRowProps {
  readonly href: string;
  readonly title: string;
  /** Lines below the title. */
  readonly details?: readonly (string | undefined)[];
  /** At the end: a state. */
  readonly aside?: ReactNode;
}

export function LinkRow({ href, title, details = [], aside }: LinkRowProps) {
  return (
    <li>
      <Link className={styles.row} href={href}>
        <span className={styles.names}>
          <strong>{title}</strong>
          {details.map(
            (line) =>
              line !== undefined && (
                <span key={line} className="aside">
                  {line}
                </span>
              ),
          )}
        </span>
        {aside !== undefined && <span className={styles.aside}>{aside}</span>}
        <Icon name="next" />
      </Link>
    </li>
  );
}
