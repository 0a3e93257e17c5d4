/** A new webhook; once it is made its secret is shown, this once. */

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { BackLink } from "../../../parts/back-link.tsx";
import { Page } from "../../../parts/page.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import cards from "../cards.module.css";
import { type WebhookDraft, WebhookForm, webhookBody } from "./form.tsx";
import { NewSecret } from "./secret.tsx";
import { TestButton } from "./test-button.tsx";

const FIRST: WebhookDraft = {
  url: "",
  description: "",
  events: ["command.completed", "command.failed"],
};

export function NewWebhook() {
  const { t } = useWords();
  const [draft, setDraft] = useState(FIRST);
  const make = useMutation({
    mutationFn: async () => {
      const { description, ...webhook } = webhookBody(draft);
      const body = { ...webhook, ...(description === "" ? {} : { description }) };
      return (await answer(api.POST("/api/v1/org/webhooks", { body }))).webhook;
    },
    onSuccess: () => {
      // The secret is read first.
      window.scrollTo(0, 0);
      return queries.invalidateQueries({ queryKey: ["/api/v1/org/webhooks"] });
    },
  });
  const made = make.data;
  return (
    <>
      <BackLink href="/settings/webhooks" text={t("settings.page.webhooks")} />
      <Page title={t(made === undefined ? "webhooks.add" : "webhooks.made")}>
        {made === undefined ? (
          <section className="box">
            <WebhookForm
              shown={draft}
              change={(fields) => setDraft({ ...draft, ...fields })}
              action={t("webhooks.make")}
              saving={make}
              isChanged
              submit={(event) => {
                event.preventDefault();
                make.mutate();
              }}
            />
          </section>
        ) : (
          <>
            <NewSecret secret={made.secret} />
            <Section title={t("webhooks.try")} text={t("webhooks.testText")}>
              <TestButton webhookId={made.id} />
            </Section>
            <div className={cards.buttons}>
              <Button component={Link} href={`/settings/webhooks/${made.id}`}>
                {t("webhooks.toIt")}
              </Button>
            </div>
          </>
        )}
      </Page>
    </>
  );
}
