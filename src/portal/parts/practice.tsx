/** What a simulated printer prints is practice: it says so wherever it is shown. */

import { useWords } from "../words/words.tsx";
import styles from "./practice.module.css";

interface PracticeProps {
  /** As the gateway tells it of printers, requests, receipts and reports. */
  readonly of: { readonly simulated: boolean } | undefined;
}

/** In lists, where there is room for a word. */
export function PracticeMark({ of: one }: PracticeProps) {
  const { t } = useWords();
  return one?.simulated === true && <span className={styles.mark}>{t("practice.mark")}</span>;
}

/** In heads: what the word means, too. */
export function PracticeNote({ of: one }: PracticeProps) {
  const { t } = useWords();
  return one?.simulated === true && <span className={styles.mark}>{t("practice.note")}</span>;
}
