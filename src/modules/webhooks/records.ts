/** Webhooks and their deliveries as the API shows them: never the secret. */

import { failureOf } from "#core/delivery-failure.ts";
import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
import type { NewWebhookDelivery } from "#db/stores/webhook-deliveries.ts";
import type { Webhook } from "#db/stores/webhooks.ts";

export function webhookRecord(webhook: Webhook) {
  return {
    id: webhook.id,
    orgId: webhook.orgId,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    enabled: webhook.enabled,
    failureCount: webhook.failureCount,
    lastDeliveryAt: isoTimeOrNull(webhook.lastDeliveryAt),
    lastDeliveryStatus: webhook.lastDeliveryStatus,
    createdAt: isoTime(webhook.createdAt),
    updatedAt: isoTime(webhook.updatedAt),
    createdBy: webhook.createdBy,
  };
}

/** @param wallAheadMs how far the wall clock is ahead of the counted time */
export function deliveryRecord(delivery: NewWebhookDelivery, wallAheadMs: number) {
  const { dueAt, status, attempt, httpStatus, responseBody, attemptedAt } = delivery;
  const failed = delivery.failedAttempts ?? [];
  // What has arrived is told by the delivery itself.
  const arrived = { number: attempt, attemptedAt: attemptedAt ?? 0, httpStatus, responseBody };
  const attempts = status === "success" ? [...failed, { ...arrived, error: null }] : failed;
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    orgId: delivery.orgId,
    eventType: delivery.eventType,
    payload: delivery.payload,
    status: delivery.status,
    attempt: delivery.attempt,
    httpStatus: delivery.httpStatus,
    responseBody: delivery.responseBody,
    error: delivery.error,
    failure: failureOf(delivery.error),
    createdAt: isoTime(delivery.createdAt),
    attemptedAt: isoTimeOrNull(delivery.attemptedAt),
    attempts: attempts.map((one) => ({
      ...one,
      failure: failureOf(one.error),
      attemptedAt: isoTime(one.attemptedAt),
    })),
    nextAttemptAt: isoTimeOrNull(dueAt === null ? null : dueAt + wallAheadMs),
  };
}
