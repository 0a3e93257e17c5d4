/** What has come since: on top, and put into the list when it is asked for. */

import { useWords } from "../words/words.tsx";
import styles from "./news-pill.module.css";

export function NewsPill({ count, show }: { readonly count: number; readonly show: () => void }) {
  const { t } = useWords();
  return (
    <div className={styles.place} role="status">
      {count > 0 && (
        <button type="button" className={styles.pill} onClick={show}>
          {t("list.new", { count })}
        </button>
      )}
    </div>
  );
}
