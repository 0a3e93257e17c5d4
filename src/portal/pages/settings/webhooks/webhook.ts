/** What the pages of webhooks have in common: how one is, what it may tell, what became of it. */

import { useQuery } from "@tanstack/react-query";
import type { components } from "../../../../client/index.ts";
import { read } from "../../../api/queries.ts";
import type { Mood } from "../../../parts/state-mark.tsx";
import type { Word } from "../../../words/words.tsx";

export type Webhook = components["schemas"]["Webhook"];
export type Delivery = components["schemas"]["WebhookDelivery"];
export type EventType = Webhook["events"][number];

/** What may be told, the most wanted first. */
export const EVENTS = [
  "command.completed",
  "command.failed",
  "command.timeout",
  "report.generated",
  "device.offline",
  "device.online",
  "receipt.created",
] as const satisfies readonly EventType[];

/** So many failures in a row switch one off. */
const FAILURES_MAX = 20;
/** As many as the row of bars shows. */
const SHOWN = 30;
/** Nothing tells of deliveries: they are looked for. */
const LOOK_EVERY_MS = 10_000;

/** The name of its server. */
export function hostOf({ url }: Pick<Webhook, "url">): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Whether it is on; where it switched itself off, that. */
export function webhookState({ enabled, failureCount, lastDeliveryStatus }: Webhook): {
  readonly mood: Mood;
  readonly word: Word;
} {
  if (!enabled) {
    const isByFailures = failureCount >= FAILURES_MAX;
    return isByFailures
      ? { mood: "bad", word: "webhooks.gaveUp" }
      : { mood: "idle", word: "webhooks.off" };
  }
  if (lastDeliveryStatus === "failed") return { mood: "warn", word: "webhooks.failing" };
  return { mood: "good", word: "webhooks.on" };
}

/** The last deliveries of a webhook, newest first. */
export function useLastDeliveries(webhookId: string) {
  const params = { path: { webhookId }, query: { limit: SHOWN } };
  return useQuery({
    ...read("/api/v1/org/webhooks/{webhookId}/deliveries", params),
    refetchInterval: LOOK_EVERY_MS,
  });
}

/** How a delivery is. */
export function deliveryState({ status, attempt }: Delivery): {
  readonly mood: Mood;
  readonly word: Word;
} {
  if (status === "success") return { mood: "good", word: "webhooks.status.success" };
  if (status === "failed") return { mood: "bad", word: "webhooks.status.failed" };
  return attempt === 0
    ? { mood: "work", word: "webhooks.status.pending" }
    : { mood: "warn", word: "webhooks.status.again" };
}
