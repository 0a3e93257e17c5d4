/** When the day is closed: a reminder from then on, or the box makes the Z reports by itself. */

import { Checkbox, NativeSelect } from "@mantine/core";
import { answer } from "../../client/index.ts";
import { api } from "../api/client.ts";
import { type Body, queries } from "../api/queries.ts";
import { organizationChanged } from "../api/session.ts";
import { useWords } from "../words/words.tsx";
import { useDraft } from "./draft.ts";
import styles from "./form.module.css";
import { Form } from "./form.tsx";
import { SaveRow } from "./save-row.tsx";

interface ClosingFormProps {
  readonly organization: Pick<Body<"/api/v1/org">, "closingTime" | "closingAutomatic">;
}

export function ClosingForm({ organization }: ClosingFormProps) {
  const { t } = useWords();
  const { closingTime, closingAutomatic } = organization;
  const draft = useDraft(
    { time: closingTime ?? "", isAutomatic: closingAutomatic },
    {
      send: (changed, { time }) =>
        answer(api.PATCH("/api/v1/org", { body: bodyOf(changed, time) })),
      async stored(changed) {
        organizationChanged(changed);
        const again = ["/api/v1/org", "/api/v1/today"];
        await Promise.all(again.map((path) => queries.invalidateQueries({ queryKey: [path] })));
      },
    },
  );
  const { shown, change, saving } = draft;
  const { time } = shown;
  return (
    <Form className={styles.form} onSubmit={draft.submit}>
      <NativeSelect
        className={styles.short}
        label={t("closing.time")}
        value={time}
        data={[
          { value: "", label: t("closing.none") },
          ...timesWith(organization.closingTime ?? ""),
        ]}
        onChange={({ currentTarget: { value } }) => {
          change({ time: value });
          saving.reset();
        }}
      />
      <p className="aside">{t("closing.timeText")}</p>
      <Checkbox
        size="md"
        className={styles.choice}
        label={t("closing.automatic")}
        description={t("closing.automaticText")}
        checked={shown.isAutomatic && time !== ""}
        disabled={time === ""}
        onChange={({ currentTarget: { checked } }) => {
          change({ isAutomatic: checked });
          saving.reset();
        }}
      />
      <SaveRow saving={saving} variant="default" isChanged={draft.isChanged} />
    </Form>
  );
}

interface Closing {
  readonly time: string;
  readonly isAutomatic: boolean;
}

/**
 * As the API takes it; where there is no time nothing is made by itself, whatever was ticked before.
 * @param shown the time that the form says, touched or not
 */
function bodyOf({ time, isAutomatic }: Partial<Closing>, shown: string) {
  const none = shown === "";
  return {
    ...(time === undefined ? {} : { closingTime: none ? null : time }),
    ...(isAutomatic === undefined && !none ? {} : { closingAutomatic: !none && isAutomatic }),
  };
}

const QUARTERS = Array.from({ length: 96 }, (_, quarter) => {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(quarter / 4))}:${two((quarter % 4) * 15)}`;
});

/** Every quarter of an hour, and what was chosen before: browsers write times as they like. */
function timesWith(chosen: string): string[] {
  return chosen === "" || QUARTERS.includes(chosen) ? QUARTERS : [...QUARTERS, chosen].sort();
}
