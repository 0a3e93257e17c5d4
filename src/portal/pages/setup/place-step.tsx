/** Step 1: language and time zone, guessed from the browser. */

import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { LanguageSwitch } from "../../shell/preferences.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import { changeDraft, readDraft, type StepProps } from "./steps.ts";

export function PlaceStep({ next }: StepProps) {
  const { t } = useWords();
  const format = useFormat();
  const [timezone, setTimezone] = useState(() => readDraft().timezone);
  const known = [...new Set([timezone, ...Intl.supportedValuesOf("timeZone")])].sort();
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    changeDraft({ timezone });
    next();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>{t("setup.place.text")}</p>
      <LanguageSwitch />
      <NativeSelect
        label={t("setup.place.timezone")}
        description={t("setup.place.timezoneText", { time: format.time(Date.now()) })}
        data={known}
        value={timezone}
        onChange={({ currentTarget: { value } }) => setTimezone(value)}
      />
      <div className={styles.ends}>
        <Button type="submit">{t("setup.next")}</Button>
      </div>
    </form>
  );
}
