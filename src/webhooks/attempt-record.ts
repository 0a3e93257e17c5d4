/** What an attempt leaves behind it: the delivery's state, and that of its webhook. */

import { DELIVERY_FAILURES_MAX } from "#core/limits.ts";
import { type AttemptOutcome, withAttempt } from "#core/webhook.ts";
import type { Stores } from "#db/stores/index.ts";
import type { WebhookDelivery } from "#db/stores/webhook-deliveries.ts";
import type { Webhook } from "#db/stores/webhooks.ts";
import type { Clock } from "../platform/clock.ts";
import type { CountedTime } from "../platform/counted-time.ts";
import type { Random } from "../platform/random.ts";
import { waitBefore } from "./schedule.ts";

export interface AttemptRecordOptions {
  readonly stores: Pick<Stores, "webhooks" | "webhookDeliveries" | "audit">;
  readonly clock: Pick<Clock, "now">;
  readonly time: CountedTime;
  readonly random: Pick<Random, "integer">;
  /** Attempts that a delivery has in all, 1 to 6. */
  readonly maxAttempts: number;
}

/** An attempt that was made. */
export interface MadeAttempt {
  /** As it was before. */
  readonly delivery: WebhookDelivery;
  readonly outcome: AttemptOutcome;
  /** UTC milliseconds. */
  readonly attemptedAt: number;
}

/** What came of it. */
export type AttemptEnd =
  | "success"
  /** It will be tried again. */
  | "again"
  | "failed"
  /** It failed, as so many before it that its webhook is disabled now. */
  | "disabled"
  /** There is no such delivery or webhook any more. */
  | "gone";

/** Writes it, inside an operation. */
export function recordAttempt(options: AttemptRecordOptions, made: MadeAttempt): AttemptEnd {
  const { stores, time, random, maxAttempts } = options;
  const { delivery, outcome, attemptedAt } = made;
  const webhook = stores.webhooks.get(delivery.orgId, delivery.webhookId);
  if (webhook === undefined) return "gone";
  const attempt = delivery.attempt + 1;
  const isSuccess = outcome.status === "success";
  const isOver = isSuccess || attempt >= maxAttempts || !webhook.enabled;
  const isKnown = stores.webhookDeliveries.progress(delivery.seq, {
    ...{ ...outcome, attempt, attemptedAt },
    failedAttempts: withAttempt(delivery.failedAttempts, outcome, { number: attempt, attemptedAt }),
    status: isOver ? outcome.status : "pending",
    dueAt: isOver ? null : time.now() + waitBefore(attempt + 1, random),
  });
  if (!isKnown) return "gone";
  if (!isOver) return "again";
  return isSuccess ? succeeded(options, webhook, made) : failed(options, webhook, made);
}

function succeeded(
  { stores }: AttemptRecordOptions,
  { orgId, id }: Webhook,
  { attemptedAt }: MadeAttempt,
): AttemptEnd {
  const last = { lastDeliveryAt: attemptedAt, lastDeliveryStatus: "success" } as const;
  stores.webhooks.update(orgId, id, { ...last, failureCount: 0 });
  return "success";
}

function failed(
  options: AttemptRecordOptions,
  { orgId, id, enabled, failureCount }: Webhook,
  { attemptedAt }: MadeAttempt,
): AttemptEnd {
  const failures = failureCount + 1;
  const isTooOften = enabled && failures >= DELIVERY_FAILURES_MAX;
  const now = options.clock.now();
  const webhook = options.stores.webhooks.update(orgId, id, {
    ...{ lastDeliveryAt: attemptedAt, lastDeliveryStatus: "failed", failureCount: failures },
    ...(isTooOften ? { enabled: false, updatedAt: now } : {}),
  });
  if (!isTooOften || webhook === undefined) return "failed";
  options.stores.audit.append({
    ...{ orgId, at: now, actor: "gateway", action: "webhook.disabled", resource: id },
    details: { host: new URL(webhook.url).host, failureCount: failures },
  });
  return "disabled";
}
