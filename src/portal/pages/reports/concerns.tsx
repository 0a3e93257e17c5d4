/** Days that somebody has to look at, each with why. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { Icon } from "../../parts/icon.tsx";
import { StateShape } from "../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import { type Month, stateOf } from "./calendar-day.ts";
import styles from "./reports.module.css";

/** The calendar below stays in sight. */
const SHOWN = 3;

export function Concerns({ month }: { readonly month: Month }) {
  const { t } = useWords();
  const format = useFormat();
  const found = month.days.flatMap((day) => {
    const state = stateOf(day, { t, format });
    if (state === undefined) return [];
    const { mood, concerns } = state;
    return concerns.map((concern, at) => ({
      mood,
      concern,
      date: day.date,
      key: `${day.date} ${at}`,
    }));
  });
  const [isWhole, setWhole] = useState(false);
  if (found.length === 0) return null;
  // One more is shown rather than a button for it.
  const shown = isWhole || found.length <= SHOWN + 1 ? found : found.slice(0, SHOWN);
  const hidden = found.length - shown.length;
  return (
    <section aria-label={t("reports.look")}>
      <h2 className={styles.heading}>{t("reports.look")}</h2>
      <ul className={styles.concerns}>
        {shown.map(({ date, mood, concern, key }) => (
          <li key={key}>
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
      {hidden > 0 && (
        <Button variant="subtle" onClick={() => setWhole(true)}>
          {t("reports.showMore", { count: hidden })}
        </Button>
      )}
    </section>
  );
}
