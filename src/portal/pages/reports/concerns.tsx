/** Days that somebody has to look at, each with why. */

import { Link } from "wouter";
import { Icon } from "../../parts/icon.tsx";
import { StateShape } from "../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import { type Month, stateOf } from "./calendar-day.ts";
import styles from "./reports.module.css";

export function Concerns({ month }: { readonly month: Month }) {
  const { t } = useWords();
  const format = useFormat();
  const found = month.days.flatMap((day) => {
    const state = stateOf(day, { t, format });
    return state?.concern === undefined ? [] : [{ ...state, date: day.date }];
  });
  if (found.length === 0) return null;
  return (
    <section aria-label={t("reports.look")}>
      <h2 className={styles.heading}>{t("reports.look")}</h2>
      <ul className={styles.concerns}>
        {found.map(({ date, mood, concern }) => (
          <li key={date}>
            <Link
              className={styles.concern}
              href={`/reports/${date}?printer=${encodeURIComponent(month.deviceId)}`}
            >
              <StateShape mood={mood} />
              <span>{concern}</span>
              <Icon name="next" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
