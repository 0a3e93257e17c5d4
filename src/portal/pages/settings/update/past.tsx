/** What was updated before, and what became of it. */

import type { Body } from "../../../api/queries.ts";
import { CopyText } from "../../../parts/copy-text.tsx";
import { Notice } from "../../../parts/notice.tsx";
import type { Mood } from "../../../parts/state-mark.tsx";
import { useFormat, useWords, type Word } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import own from "./update.module.css";

type Update = Body<"/api/v1/update">;
type Last = NonNullable<Update["last"]>;

const OUTCOMES = {
  updated: { mood: "good", word: "update.outcome.updated" },
  refused: { mood: "warn", word: "update.outcome.refused" },
  went_back: { mood: "warn", word: "update.outcome.wentBack" },
  broken: { mood: "bad", word: "update.outcome.broken" },
} as const satisfies Record<Last["outcome"], { mood: Mood; word: Word }>;

export function Past({ update }: { readonly update: Update }) {
  const { t } = useWords();
  const format = useFormat();
  const { last, versions, migrations } = update;
  return (
    <section className={`box ${styles.section}`} aria-labelledby="update-past">
      <h2 className={styles.title} id="update-past">
        {t("update.past")}
      </h2>
      {last === null ? <p>{t("update.noPast")}</p> : <LastUpdate last={last} />}
      <h3 className={styles.subtitle}>{t("update.versions")}</h3>
      <ul className={own.list}>
        {versions.map(({ version, since }) => (
          <li key={since}>
            <span>{version}</span>
            <span className="aside">{format.dateTime(since)}</span>
          </li>
        ))}
      </ul>
      <details>
        <summary className={styles.summary}>
          {t("update.migrations", { count: migrations.length })}
        </summary>
        <p className="aside">{t("update.migrationsText")}</p>
        <ul className={own.list}>
          {migrations.map(({ name, at }) => (
            <li key={name}>
              <span translate="no">{name}</span>
              <span className="aside">{format.dateTime(at)}</span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function LastUpdate({ last }: { readonly last: Last }) {
  const { t } = useWords();
  const format = useFormat();
  const { at, from, to, outcome, reason, databaseRestored } = last;
  const { mood, word } = OUTCOMES[outcome];
  return (
    <>
      <Notice mood={mood} text={t(word, { from, to, time: format.dateTime(at) })} />
      {databaseRestored && <p>{t("update.databaseRestored")}</p>}
      {reason !== null && <CopyText text={reason} />}
    </>
  );
}
