/** What was sent to a webhook, newest first: what each was, what came back, and what comes next. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { useBoxNow } from "../../../api/hooks.ts";
import { read } from "../../../api/queries.ts";
import { CopyText } from "../../../parts/copy-text.tsx";
import filterStyles from "../../../parts/filters.module.css";
import { ChipSelect, useFilters } from "../../../parts/filters.tsx";
import { NewsPill } from "../../../parts/news-pill.tsx";
import { Empty, PageStates } from "../../../parts/page-states.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import cards from "../cards.module.css";
import { SendAgain } from "./again.tsx";
import { useFailure } from "./failure.ts";
import { type Delivery, deliveryState } from "./webhook.ts";
import styles from "./webhooks.module.css";

const STATUSES = ["success", "failed", "pending"] as const;
/** As many as the gateway gives at once; those before are found by their state. */
const SHOWN_MAX = 200;
const STEP = 10;
const LOOK_EVERY_MS = 5_000;

interface DeliveriesProps {
  readonly webhookId: string;
  /** One that is off sends nothing again. */
  readonly isOn: boolean;
}

export function Deliveries({ webhookId, isOn }: DeliveriesProps) {
  const { t } = useWords();
  const heading = useId();
  const { params, clear } = useFilters();
  const status = STATUSES.find((one) => one === params.get("status"));
  const filter = { limit: SHOWN_MAX, ...(status === undefined ? {} : { status }) };
  const list = useQuery({
    ...read("/api/v1/org/webhooks/{webhookId}/deliveries", { path: { webhookId }, query: filter }),
    refetchInterval: LOOK_EVERY_MS,
  });
  return (
    <section className={cards.section} aria-labelledby={heading}>
      <div className={cards.head}>
        <h2 className={cards.title} id={heading}>
          {t("webhooks.deliveries")}
        </h2>
        <search className={filterStyles.bar}>
          <ChipSelect
            name="status"
            label={t("filters.status")}
            all={t("filters.status.all")}
            choices={STATUSES.map((value) => ({ value, label: t(`webhooks.status.${value}`) }))}
          />
        </search>
      </div>
      <PageStates
        query={list}
        isEmpty={({ deliveries }) => deliveries.length === 0}
        empty={
          <Empty
            title={t(status === undefined ? "webhooks.nothingSent" : "webhooks.noneOfThese")}
            text={t("webhooks.kept")}
          >
            {status !== undefined && (
              <Button variant="default" onClick={clear}>
                {t("filters.clear")}
              </Button>
            )}
          </Empty>
        }
      >
        {({ deliveries }) => (
          <Rows key={status} deliveries={deliveries} isOn={isOn} label={heading} />
        )}
      </PageStates>
    </section>
  );
}

interface RowsProps {
  readonly deliveries: readonly Delivery[];
  readonly isOn: boolean;
  /** Id of what names them. */
  readonly label: string;
}

/** What comes while they are read waits until it is asked for: nothing moves under the reader. */
function Rows({ deliveries, isOn, label }: RowsProps) {
  const { t } = useWords();
  const [count, setCount] = useState(STEP);
  const [newest, setNewest] = useState(deliveries[0]?.id);
  const fresh = Math.max(
    0,
    deliveries.findIndex(({ id }) => id === newest),
  );
  const shown = deliveries.slice(fresh, fresh + count);
  return (
    <>
      <NewsPill count={fresh} show={() => setNewest(deliveries[0]?.id)} />
      <ul className={styles.deliveries} aria-labelledby={label}>
        {shown.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} isOn={isOn} />
        ))}
      </ul>
      {deliveries.length > fresh + count && (
        <div>
          <Button variant="default" onClick={() => setCount(count + STEP)}>
            {t("webhooks.older")}
          </Button>
        </div>
      )}
    </>
  );
}

function Row({ delivery, isOn }: { readonly delivery: Delivery; readonly isOn: boolean }) {
  const { t } = useWords();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const { mood, word } = deliveryState(delivery);
  const { eventType, createdAt } = delivery;
  return (
    <li>
      <details
        className={styles.delivery}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <span className={styles.what}>
            <span>{t(`webhooks.event.${eventType}`)}</span>
            <time className="aside" dateTime={createdAt}>
              {format.dateTime(createdAt)}
            </time>
          </span>
          <StateMark mood={mood} word={t(word)} />
        </summary>
        {isOpen && <Inside delivery={delivery} isOn={isOn} />}
      </details>
    </li>
  );
}

function Inside({ delivery, isOn }: { readonly delivery: Delivery; readonly isOn: boolean }) {
  const { t } = useWords();
  const failure = useFailure()(delivery);
  const next = useNext(delivery);
  const { id, attempt, httpStatus, responseBody, error, payload, status, eventType } = delivery;
  const earlier = delivery.attempts.filter(({ number }) => number < attempt);
  return (
    <div className={styles.inside}>
      {failure !== undefined && <p>{failure}</p>}
      <p className="aside">
        {[t("webhooks.attempts", { count: attempt }), next].filter(Boolean).join(" ")}
      </p>
      {(status !== "pending" || attempt > 0) && eventType !== "webhook.test" && (
        <SendAgain delivery={delivery} isOn={isOn} />
      )}
      {httpStatus !== null && (
        <Part title={t("webhooks.answered", { status: String(httpStatus) })}>
          {responseBody === null || responseBody === "" ? (
            <p className="aside">{t("webhooks.emptyAnswer")}</p>
          ) : (
            <Text text={responseBody} label={t("webhooks.answer")} />
          )}
        </Part>
      )}
      <Earlier attempts={earlier} />
      <Part title={t("webhooks.sent")}>
        <Text text={JSON.stringify(payload, null, 2)} label={t("webhooks.sent")} />
      </Part>
      {error !== null && <CopyText text={error} />}
      <CopyText text={id} />
    </div>
  );
}

/** What came of the attempts before the last one, the latest of them first. */
function Earlier({ attempts }: { readonly attempts: Delivery["attempts"] }) {
  const { t } = useWords();
  const format = useFormat();
  const failureOf = useFailure();
  if (attempts.length === 0) return null;
  return (
    <Part title={t("webhooks.earlier")}>
      <ol className={styles.earlier}>
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.number}>
            <time className="aside" dateTime={attempt.attemptedAt}>
              {format.dateTime(attempt.attemptedAt)}
            </time>
            <span>{failureOf(attempt)}</span>
            {attempt.responseBody !== null && attempt.responseBody !== "" && (
              <Text text={attempt.responseBody} label={t("webhooks.answer")} />
            )}
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** May be longer than its field, which the keys can scroll. */
function Text({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keys.
    <section className={styles.text} tabIndex={0} aria-label={label} translate="no">
      {text}
    </section>
  );
}

/** When it is tried again. */
function useNext({ status, nextAttemptAt }: Delivery): string | undefined {
  const { t } = useWords();
  const format = useFormat();
  const now = useBoxNow(status === "pending" ? 1_000 : null);
  if (nextAttemptAt === null) return undefined;
  const left = Date.parse(nextAttemptAt) - now;
  if (left <= 0) return t("webhooks.nextNow");
  return t("webhooks.next", { time: format.time(nextAttemptAt), left: format.duration(left) });
}
