/** Webhooks and their deliveries as the API shows them: never the secret. */

import type { Webhook, WebhookDelivery } from "#db/stores/webhooks.ts";

export function webhookRecord(webhook: Webhook) {
  return {
    id: webhook.id,
    orgId: webhook.orgId,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    enabled: webhook.enabled,
    failureCount: webhook.failureCount,
    lastDeliveryAt: instantText(webhook.lastDeliveryAt),
    lastDeliveryStatus: webhook.lastDeliveryStatus,
    createdAt: new Date(webhook.createdAt).toISOString(),
    updatedAt: new Date(webhook.updatedAt).toISOString(),
    createdBy: webhook.createdBy,
  };
}

export function deliveryRecord(delivery: Omit<WebhookDelivery, "seq">) {
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
    createdAt: new Date(delivery.createdAt).toISOString(),
    attemptedAt: instantText(delivery.attemptedAt),
  };
}

function instantText(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
