/** Step 1: language and time zone, guessed from the browser. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { boxNow } from "../../api/box-clock.ts";
import { Form } from "../../parts/form.tsx";
import { TimezoneSelect } from "../../parts/timezone-select.tsx";
import { LanguageSwitch } from "../../shell/preferences.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import { changeDraft, readDraft, type StepProps } from "./steps.ts";

export function PlaceStep({ next }: StepProps) {
  const { t } = useWords();
  const [timezone, setTimezone] = useState(() => readDraft().timezone);
  const format = useFormat(timezone);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    next();
  };
  return (
    <Form className={styles.form} onSubmit={submit}>
      <p>{t("setup.place.text")}</p>
      <LanguageSwitch />
      <TimezoneSelect
        description={t("setup.place.timezoneThere", { time: format.time(boxNow()) })}
        value={timezone}
        onChange={(chosen) => {
          setTimezone(chosen);
          changeDraft({ timezone: chosen });
        }}
      />
      <div className={styles.ends}>
        <Button type="submit">{t("setup.next")}</Button>
      </div>
    </Form>
  );
}
