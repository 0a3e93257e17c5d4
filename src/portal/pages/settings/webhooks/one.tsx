/** One webhook: how it is, what was sent to it, what it is; at the end, what cannot be taken back. */

import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { queries, read } from "../../../api/queries.ts";
import { BackLink } from "../../../parts/back-link.tsx";
import { useDraft } from "../../../parts/draft.ts";
import { useTop } from "../../../parts/kept-place.ts";
import { Notice } from "../../../parts/notice.tsx";
import { Page } from "../../../parts/page.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { Section } from "../../../parts/section.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useWords } from "../../../words/words.tsx";
import { Deliveries } from "./deliveries.tsx";
import { inOrder, type WebhookDraft, WebhookForm, webhookBody } from "./form.tsx";
import { RemoveWebhook, RotateSecret, SwitchOff } from "./grave.tsx";
import { GaveUp } from "./list.tsx";
import { VerifyLines } from "./secret.tsx";
import { Sparkline } from "./sparkline.tsx";
import { TestButton } from "./test-button.tsx";
import { hostOf, useLastDeliveries, type Webhook, webhookState } from "./webhook.ts";
import styles from "./webhooks.module.css";

const LOOK_EVERY_MS = 10_000;
/** Stands where the secret was, which nobody is shown again. */
const SECRET = "whsec_...";

export function OneWebhook({ id }: { readonly id: string }) {
  const { t } = useWords();
  useTop();
  const webhook = useQuery({
    ...read("/api/v1/org/webhooks/{webhookId}", { path: { webhookId: id } }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const shown = webhook.data?.webhook;
  const state = shown === undefined ? undefined : webhookState(shown);
  return (
    <>
      <BackLink href="/settings/webhooks" text={t("settings.page.webhooks")} />
      <Page
        title={shown === undefined ? t("settings.page.webhooks") : nameOf(shown)}
        aside={state && <StateMark mood={state.mood} word={t(state.word)} isFilled />}
      >
        <PageStates query={webhook}>
          {({ webhook: found }) => <Sections webhook={found} />}
        </PageStates>
      </Page>
    </>
  );
}

function nameOf(webhook: Webhook): string {
  const { description } = webhook;
  return description === null || description === "" ? hostOf(webhook) : description;
}

function Sections({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useWords();
  const { id, url, enabled } = webhook;
  const { data: { deliveries = [] } = {} } = useLastDeliveries(id);
  return (
    <>
      <span className={`aside ${styles.url}`} translate="no">
        {url}
      </span>
      <GaveUp webhook={webhook} deliveries={deliveries} />
      <Sparkline deliveries={deliveries} />
      {!enabled && <SwitchOn webhook={webhook} />}
      <Deliveries webhookId={id} isOn={enabled} />
      <Section title={t("webhooks.try")} text={t("webhooks.testText")}>
        <TestButton webhookId={id} />
      </Section>
      <Section title={t("webhooks.settings")}>
        <Change key={id} webhook={webhook} />
      </Section>
      <Section title={t("webhooks.verify")}>
        <VerifyLines secret={SECRET} />
      </Section>
      <Section title={t("webhooks.grave")} isDanger>
        <div className={styles.grave}>
          {enabled && <SwitchOff webhook={webhook} />}
          <RotateSecret webhook={webhook} />
          <RemoveWebhook webhook={webhook} name={nameOf(webhook)} />
        </div>
      </Section>
    </>
  );
}

/** What waited has ended when it was switched off: nothing is lost by switching it on. */
function SwitchOn({ webhook: { id } }: { readonly webhook: Webhook }) {
  const { t } = useWords();
  const change = useMutation({
    mutationFn: () => patch(id, { enabled: true }),
    onSuccess: readAgain,
  });
  return (
    <>
      <Notice mood="idle" text={t("webhooks.offText")}>
        <Button loading={change.isPending} onClick={() => change.mutate()}>
          {t("webhooks.switchOn")}
        </Button>
      </Notice>
      {change.isError && <Notice mood="bad" text={t(reasonFor(change.error))} />}
    </>
  );
}

function Change({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useWords();
  const { id, url, description, events, enabled } = webhook;
  const draft = useDraft<WebhookDraft, unknown>(
    { url, description: description ?? "", events: inOrder(events) },
    {
      // One that is off takes no change but together with being switched on.
      send: (changed) =>
        patch(id, { ...webhookBody(changed), ...(enabled ? {} : { enabled: true }) }),
      stored: readAgain,
    },
  );
  return (
    <WebhookForm
      {...draft}
      isChanged={draft.isChanged || !enabled}
      action={t(enabled ? "save.save" : "webhooks.saveOn")}
    />
  );
}

type ChangeOf = Partial<WebhookDraft> & { readonly enabled?: boolean };

function patch(webhookId: string, body: ChangeOf) {
  const params = { path: { webhookId } };
  return answer(api.PATCH("/api/v1/org/webhooks/{webhookId}", { params, body }));
}

function readAgain(): Promise<unknown> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) => String(path).startsWith("/api/v1/org/webhooks"),
  });
}
