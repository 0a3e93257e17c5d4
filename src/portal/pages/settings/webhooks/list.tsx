/** All webhooks, each with how it is and what its last deliveries came to. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { read } from "../../../api/queries.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Page } from "../../../parts/page.tsx";
import { Empty, PageStates } from "../../../parts/page-states.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useWords } from "../../../words/words.tsx";
import cards from "../cards.module.css";
import { useFailure } from "./failure.ts";
import { Sparkline } from "./sparkline.tsx";
import { type Delivery, hostOf, useLastDeliveries, type Webhook, webhookState } from "./webhook.ts";
import styles from "./webhooks.module.css";

const LOOK_EVERY_MS = 10_000;

export function WebhookList() {
  const { t } = useWords();
  const webhooks = useQuery({ ...read("/api/v1/org/webhooks"), refetchInterval: LOOK_EVERY_MS });
  return (
    <Page title={t("settings.page.webhooks")} aside={<AddButton />}>
      <p>{t("webhooks.intro")}</p>
      <PageStates
        query={webhooks}
        isEmpty={({ webhooks: found }) => found.length === 0}
        empty={<Empty title={t("webhooks.empty")} text={t("webhooks.emptyText")} />}
      >
        {({ webhooks: found }) => (
          <ul className={cards.cards} aria-label={t("settings.page.webhooks")}>
            {found.map((webhook) => (
              <Card key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        )}
      </PageStates>
    </Page>
  );
}

function AddButton() {
  const { t } = useWords();
  return (
    <Button component={Link} href="/settings/webhooks/new" leftSection={<Icon name="plus" />}>
      {t("webhooks.add")}
    </Button>
  );
}

function Card({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useWords();
  const { id, url, description } = webhook;
  const { mood, word } = webhookState(webhook);
  const { data: { deliveries = [] } = {} } = useLastDeliveries(id);
  return (
    <li>
      <Link
        className={`box ${cards.card} ${styles.link}`}
        href={`/settings/webhooks/${id}`}
        state={{ fromList: true }}
      >
        <span className={cards.head}>
          <strong>
            {description === null || description === "" ? hostOf(webhook) : description}
          </strong>
          <StateMark mood={mood} word={t(word)} />
        </span>
        <span className={`aside ${styles.url}`} translate="no">
          {url}
        </span>
        <Sparkline deliveries={deliveries} />
      </Link>
      <GaveUp webhook={webhook} deliveries={deliveries} />
    </li>
  );
}

/** Why one is off that nobody switched off. */
export function GaveUp(props: {
  readonly webhook: Webhook;
  readonly deliveries: readonly Delivery[];
}) {
  const { t } = useWords();
  const failure = useFailure();
  if (webhookState(props.webhook).word !== "webhooks.gaveUp") return null;
  // What ended without an attempt says only that it was off by then.
  const last = props.deliveries.find(({ status, attempt }) => status === "failed" && attempt > 0);
  const reason = last === undefined ? undefined : failure(last);
  const text = t("webhooks.gaveUpText", { count: props.webhook.failureCount });
  return (
    <div className={styles.under}>
      <Notice mood="bad" text={reason === undefined ? text : `${text} ${reason}`} />
    </div>
  );
}
