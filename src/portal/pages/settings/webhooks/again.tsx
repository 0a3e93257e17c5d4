/** Sends one delivery again, and follows to its answer the new one, or the one that still waits. */

import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { queries, read } from "../../../api/queries.ts";
import { Notice } from "../../../parts/notice.tsx";
import { useWords } from "../../../words/words.tsx";
import { useFailure } from "./failure.ts";
import type { Delivery } from "./webhook.ts";

/** While the answer is waited for. */
const LOOK_EVERY_MS = 700;
const LOOKED_AT = 50;

export function SendAgain({
  delivery,
  isOn,
}: {
  readonly delivery: Delivery;
  readonly isOn: boolean;
}) {
  const { t } = useWords();
  const { id: deliveryId, webhookId } = delivery;
  const send = useMutation({
    mutationFn: () =>
      answer(
        api.POST("/api/v1/org/webhooks/{webhookId}/replay", {
          params: { path: { webhookId } },
          body: { deliveryId },
        }),
      ),
    onSuccess: () =>
      queries.invalidateQueries({
        queryKey: ["/api/v1/org/webhooks/{webhookId}/deliveries"],
      }),
  });
  if (!isOn) return <p className="aside">{t("webhooks.againOff")}</p>;
  return (
    <>
      <div>
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          {t(delivery.status === "pending" ? "webhooks.againNow" : "webhooks.again")}
        </Button>
      </div>
      {send.isError && <Notice mood="bad" text={t("webhooks.againFailed")} />}
      {send.data !== undefined && !send.isPending && (
        <Followed first={send.data.delivery} row={delivery} />
      )}
    </>
  );
}

interface FollowedProps {
  /** As it was before this attempt. */
  readonly first: Delivery;
  /** What it stands in, as the list has it: the same one, or the one that was sent before. */
  readonly row: Delivery;
}

/** What becomes of it; not before the list says so too. */
function Followed({ first, row }: FollowedProps) {
  const { t } = useWords();
  const failureOf = useFailure();
  const path = { webhookId: first.webhookId };
  const { data } = useQuery({
    ...read("/api/v1/org/webhooks/{webhookId}/deliveries", { path, query: { limit: LOOKED_AT } }),
    refetchInterval: ({ state }) =>
      isTried(foundIn(state.data?.deliveries, first), first) ? false : LOOK_EVERY_MS,
  });
  const told = foundIn(data?.deliveries, first) ?? first;
  const isAnswered = isTried(told, first);
  useEffect(() => {
    if (!isAnswered) return;
    const isOfWebhooks = (path: unknown) => String(path).startsWith("/api/v1/org/webhooks");
    void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => isOfWebhooks(path) });
  }, [isAnswered]);
  const now = row.id === first.id ? row : told;
  if (!isTried(now, first)) return <Notice mood="work" text={t("webhooks.againSending")} />;
  if (now.status === "success") {
    const status = String(now.httpStatus);
    return <Notice mood="good" text={t("webhooks.againArrived", { status })} />;
  }
  return <Notice mood="bad" text={failureOf(now) ?? t("webhooks.againFailed")} />;
}

function foundIn(deliveries: readonly Delivery[] | undefined, { id }: Delivery) {
  return deliveries?.find((one) => one.id === id);
}

/** Whether an attempt has been made since. */
function isTried(now: Delivery | undefined, first: Delivery): boolean {
  return now !== undefined && (now.attempt > first.attempt || now.status !== first.status);
}
