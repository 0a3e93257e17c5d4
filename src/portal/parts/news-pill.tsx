/** What has come since: on top, and put into the list when it is asked for. */

import { useWords } from "../words/words.tsx";
import styles from "./news-pill.module.css";

interface NewsPillProps {
  readonly count: number;
  /** There may be more than are counted; all are unless given. */
  readonly isMore?: boolean;
  readonly show: () => void;
}

export function NewsPill({ count, isMore = false, show }: NewsPillProps) {
  const { t } = useWords();
  return (
    <div className={styles.place} role="status">
      {count > 0 && (
        <button type="button" className={styles.pill} onClick={show}>
          {isMore ? t("list.newAtLeast", { rows: count }) : t("list.new", { count })}
        </button>
      )}
    </div>
  );
}
