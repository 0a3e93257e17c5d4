/** Whether the database is copied elsewhere all the time, where whoever looks after the box has set that up. */

import { useQuery } from "@tanstack/react-query";
import { inWords, readHealth } from "../../../parts/health.ts";
import { Notice } from "../../../parts/notice.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";

export function LiveCopy() {
  const { t } = useWords();
  const format = useFormat();
  const health = useQuery(readHealth);
  const replica = health.data?.checks.replica;
  if (replica === undefined) return null;
  const { findings = [] } = replica;
  return (
    <section className={`box ${styles.section}`} aria-labelledby="live-copy">
      <h2 className={styles.title} id="live-copy">
        {t("health.part.replica")}
      </h2>
      {findings.map(({ code, params }) => (
        <Notice key={code} mood="bad" text={t(`health.finding.${code}`, inWords(params, format))} />
      ))}
      {findings.length === 0 && <p>{t("backup.copyRuns")}</p>}
    </section>
  );
}
