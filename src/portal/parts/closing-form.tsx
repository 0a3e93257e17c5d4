/** When the day is closed: a reminder from then on, or the box makes the Z reports by itself. */

import { Checkbox, NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer } from "../../client/index.ts";
import { api } from "../api/client.ts";
import { type Body, queries } from "../api/queries.ts";
import { organizationChanged } from "../api/session.ts";
import { useWords } from "../words/words.tsx";
import styles from "./form.module.css";
import { Form } from "./form.tsx";
import { SaveRow } from "./save-row.tsx";

interface ClosingFormProps {
  readonly organization: Pick<Body<"/api/v1/org">, "closingTime" | "closingAutomatic">;
}

export function ClosingForm({ organization }: ClosingFormProps) {
  const { t } = useWords();
  const [time, setTime] = useState(organization.closingTime ?? "");
  const [isAutomatic, setAutomatic] = useState(organization.closingAutomatic);
  const save = useMutation({
    mutationFn: () =>
      answer(
        api.PATCH("/api/v1/org", {
          body: {
            closingTime: time === "" ? null : time,
            closingAutomatic: time !== "" && isAutomatic,
          },
        }),
      ),
    onSuccess: (changed) => {
      organizationChanged(changed);
      void queries.invalidateQueries({ queryKey: ["/api/v1/org"] });
      void queries.invalidateQueries({ queryKey: ["/api/v1/today"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Form className={styles.form} onSubmit={submit}>
      <NativeSelect
        className={styles.short}
        label={t("closing.time")}
        value={time}
        data={[
          { value: "", label: t("closing.none") },
          ...timesWith(organization.closingTime ?? ""),
        ]}
        onChange={({ currentTarget: { value } }) => {
          setTime(value);
          save.reset();
        }}
      />
      <p className="aside">{t("closing.timeText")}</p>
      <Checkbox
        size="md"
        className={styles.choice}
        label={t("closing.automatic")}
        description={t("closing.automaticText")}
        checked={isAutomatic && time !== ""}
        disabled={time === ""}
        onChange={({ currentTarget: { checked } }) => {
          setAutomatic(checked);
          save.reset();
        }}
      />
      <SaveRow saving={save} variant="default" />
    </Form>
  );
}

const QUARTERS = Array.from({ length: 96 }, (_, quarter) => {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(quarter / 4))}:${two((quarter % 4) * 15)}`;
});

/** Every quarter of an hour, and what was chosen before: browsers write times as they like. */
function timesWith(chosen: string): string[] {
  return chosen === "" || QUARTERS.includes(chosen) ? QUARTERS : [...QUARTERS, chosen].sort();
}
