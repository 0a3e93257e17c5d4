/** Where the number stands on paper: the foot of a receipt, with it marked. */

import type { Command } from "../../parts/command-state.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./doubtful.module.css";

const DIGITS = 7;

export function NumberOnPaper({ command, number }: { readonly command: Command; number: string }) {
  const { t } = useWords();
  const format = useFormat();
  const shown = number.trim() === "" ? "0".repeat(DIGITS) : number.trim().padStart(DIGITS, "0");
  return (
    <figure className={styles.foot} aria-label={t("doubtful.where")}>
      <div className={styles.stub} aria-hidden="true">
        <span className={styles.faint} />
        <span className={styles.faint} data-short="true" />
        <span className={styles.stubLine}>
          <span>{format.dateTime(command.sentAt ?? command.createdAt)}</span>
          <mark className={styles.mark}>{shown}</mark>
        </span>
        <span className={styles.fiscal}>{t("doubtful.fiscalMark")}</span>
      </div>
      <figcaption className="aside">{t("doubtful.where")}</figcaption>
    </figure>
  );
}
