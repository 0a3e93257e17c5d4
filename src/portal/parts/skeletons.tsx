/** Pages whose data are on their way, in the shape of what comes: nothing moves when it is there. */

import { Skeleton } from "@mantine/core";
import states from "./page-states.module.css";
import sheet from "./sheet.module.css";
import styles from "./skeletons.module.css";

const ROWS = 3;

/** Rows of a list. */
export function RowsSkeleton() {
  return (
    <div className={`${states.skeleton} ${styles.rows}`} aria-hidden="true">
      {Array.from({ length: ROWS }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={at} className={styles.row} animate={false} />
      ))}
    </div>
  );
}

/** What happened, one after the other. */
export function StorySkeleton() {
  return (
    <div className={`${states.skeleton} ${styles.story}`} aria-hidden="true">
      <Skeleton className={styles.told} animate={false} />
    </div>
  );
}

/** Paper to the left, what is known of it to the right. */
export function SheetSkeleton() {
  return (
    <div className={`${states.skeleton} ${styles.sheet} ${sheet.sheet}`} aria-hidden="true">
      <Skeleton className={styles.paper} animate={false} />
      <div className={sheet.data}>
        <Skeleton className={styles.line} animate={false} />
        <Skeleton className={styles.facts} animate={false} />
      </div>
    </div>
  );
}
