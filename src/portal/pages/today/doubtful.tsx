/** A receipt of which nobody knows whether it was printed: above everything until a person has said. */

import { Notice } from "../../parts/notice.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./today.module.css";
import type { Today } from "./today.ts";

export function Doubtful({ one }: { readonly one: Today["doubtful"][number] }) {
  const { t } = useWords();
  const format = useFormat();
  return (
    <section className={styles.doubtful} aria-label={t("today.doubtful")}>
      <strong>{t("today.doubtful")}</strong>
      <Notice
        mood="bad"
        text={t("today.doubtfulText", {
          what: t(`command.${one.type}`),
          printer: one.deviceName ?? "",
          time: format.dateTime(one.acceptedAt),
        })}
      />
    </section>
  );
}
