/** What a webhook is: where it goes, what it is called here, what it tells. */

import { Checkbox, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Form } from "../../../parts/form.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { useWords } from "../../../words/words.tsx";
import cards from "../cards.module.css";
import { EVENTS, type EventType } from "./webhook.ts";
import styles from "./webhooks.module.css";

/** What is filled in. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  readonly events: EventType[];
}

interface FormProps {
  readonly initial: WebhookDraft;
  readonly action: string;
  readonly saving: {
    readonly isPending: boolean;
    readonly isSuccess: boolean;
    readonly error: Error | null;
  };
  readonly save: (draft: WebhookDraft) => void;
}

const REASONS = { VALIDATION_ERROR: "webhooks.badAddress", CONFLICT: "webhooks.refused" } as const;

export function WebhookForm({ initial, action, saving, save }: FormProps) {
  const { t } = useWords();
  const [url, setUrl] = useState(initial.url);
  const [description, setDescription] = useState(initial.description);
  const [events, setEvents] = useState<readonly string[]>(initial.events);
  const chosen = EVENTS.filter((event) => events.includes(event));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ url: url.trim(), description: description.trim(), events: chosen });
  };
  return (
    <Form className={cards.form} onSubmit={submit}>
      <TextInput
        label={t("webhooks.address")}
        description={t("webhooks.addressText")}
        type="url"
        inputMode="url"
        required
        withAsterisk={false}
        maxLength={2048}
        value={url}
        onChange={({ currentTarget: { value } }) => setUrl(value)}
      />
      <TextInput
        label={t("webhooks.description")}
        description={t("webhooks.descriptionText")}
        maxLength={500}
        value={description}
        onChange={({ currentTarget: { value } }) => setDescription(value)}
      />
      <Checkbox.Group
        label={t("webhooks.events")}
        value={[...chosen]}
        onChange={setEvents}
        {...(chosen.length === 0 ? { description: t("webhooks.eventsNone") } : {})}
      >
        <div className={styles.events}>
          {EVENTS.map((event) => (
            <Checkbox
              key={event}
              value={event}
              label={t(`webhooks.event.${event}`)}
              description={t(`webhooks.about.${event}`)}
            />
          ))}
        </div>
      </Checkbox.Group>
      <SaveRow
        saving={saving}
        action={action}
        reasons={REASONS}
        isDisabled={url.trim() === "" || chosen.length === 0}
      />
    </Form>
  );
}
