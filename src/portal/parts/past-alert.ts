/** When an alert stood and how it ended, in the reader's words. */

import type { components } from "../../client/index.ts";
import { useFormat, useWords } from "../words/words.tsx";
import type { Mood } from "./state-mark.tsx";
import { useWho } from "./who.ts";

export type AlertPeriod = components["schemas"]["AlertPeriod"];

/** What the severity of an alert looks like. */
export const ALERT_MOODS = {
  error: "bad",
  warning: "warn",
  info: "idle",
} as const satisfies Record<AlertPeriod["severity"], Mood>;

/** An alert told after it rose. */
export interface AlertStory {
  /** What was the matter. */
  readonly what: string;
  /** From when until when, and for how long. */
  readonly when: string;
  /** How it ended. */
  readonly how: string;
}

/** Tells of alerts. */
export function useAlertStory(): (alert: AlertPeriod) => AlertStory {
  const { t, isWord } = useWords();
  const format = useFormat();
  const who = useWho();
  return ({ type, detectedAt, endedAt, end, endedBy }) => {
    const word = `state.${type}`;
    // A later version may have others.
    const what = isWord(word) ? t(word) : type;
    const from = format.dateTime(detectedAt);
    if (endedAt === null || end === null) {
      return { what, when: t("pastAlerts.since", { from }), how: t("pastAlerts.standing") };
    }
    const isOfOneDay = format.date(detectedAt) === format.date(endedAt);
    const when = t("pastAlerts.when", {
      from,
      until: isOfOneDay ? format.time(endedAt) : format.dateTime(endedAt),
      length: format.duration(Date.parse(endedAt) - Date.parse(detectedAt)),
    });
    return { what, when, how: t(`pastAlerts.end.${end}`, { who: who(endedBy) }) };
  };
}
