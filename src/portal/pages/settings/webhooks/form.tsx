/** What a webhook is: where it goes, what it is called here, what it tells. */

import { Checkbox, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
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
  /** What is filled in so far. */
  readonly shown: WebhookDraft;
  readonly change: (fields: Partial<WebhookDraft>) => void;
  readonly action: string;
  readonly saving: {
    readonly isPending: boolean;
    readonly isSuccess: boolean;
    readonly error: Error | null;
  };
  readonly isChanged: boolean;
  readonly submit: (event: FormEvent) => void;
}

const REASONS = { VALIDATION_ERROR: "webhooks.badAddress", CONFLICT: "webhooks.refused" } as const;

export function WebhookForm({ shown, change, submit, ...props }: FormProps) {
  const { t } = useWords();
  const { url, description, events: chosen } = shown;
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
        onChange={({ currentTarget: { value } }) => change({ url: value })}
      />
      <TextInput
        label={t("webhooks.description")}
        description={t("webhooks.descriptionText")}
        maxLength={500}
        value={description}
        onChange={({ currentTarget: { value } }) => change({ description: value })}
      />
      <Checkbox.Group
        label={t("webhooks.events")}
        value={[...chosen]}
        onChange={(values) => change({ events: inOrder(values) })}
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
      <SaveRow {...props} reasons={REASONS} isDisabled={url.trim() === "" || chosen.length === 0} />
    </Form>
  );
}

/** The same ones are the same list. */
export function inOrder(events: readonly string[]): EventType[] {
  return EVENTS.filter((event) => events.includes(event));
}

/** As the API takes it. */
export function webhookBody<Some extends Partial<WebhookDraft>>(draft: Some): Some {
  const { url, description } = draft;
  return {
    ...draft,
    ...(url === undefined ? {} : { url: url.trim() }),
    ...(description === undefined ? {} : { description: description.trim() }),
  };
}
