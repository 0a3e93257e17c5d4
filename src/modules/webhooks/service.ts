/** Subscribing webhooks, and trying them. */

import { callerOf, type Principal } from "#core/access.ts";
import type { AuditAction } from "#core/audit.ts";
import { ApiError, noSuch, validationError } from "#core/errors.ts";
import type { EventEnvelope } from "#core/events.ts";
import { isoTime } from "#core/iso-time.ts";
import { requireNotFull } from "#core/org-rows.ts";
import {
  type AttemptOutcome,
  type DeliveryStatus,
  isWebhookEventType,
  WEBHOOK_SECRET_BYTES,
  WEBHOOK_SECRET_START,
  WEBHOOK_TEST,
  type WebhookEnvelope,
  type WebhookEventType,
  type WebhookMessage,
  withAttempt,
} from "#core/webhook.ts";
import type { Stores } from "#db/stores/index.ts";
import type { NewWebhookDelivery, WebhookDelivery } from "#db/stores/webhook-deliveries.ts";
import type { Webhook, WebhookChange } from "#db/stores/webhooks.ts";
import type { WriteFor } from "#db/write-for.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { UserPrincipal } from "../../http/access.ts";
import type { Clock } from "../../platform/clock.ts";
import type { CountedTime } from "../../platform/counted-time.ts";
import type { Random } from "../../platform/random.ts";
import { deliveryRecord, webhookRecord } from "./records.ts";
import type { CreateWebhookBody, UpdateWebhookBody } from "./schema.ts";

export interface WebhookServiceOptions {
  readonly stores: Pick<Stores, "webhooks" | "webhookDeliveries" | "audit">;
  readonly write: WriteFor;
  /** For what has gone out already. */
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly time: CountedTime;
  readonly random: Random;
  /** What is wrong with an address, in words; undefined when a webhook may be there. */
  endpointFault(url: string): Promise<string | undefined>;
  /** Delivers once. Never rejects. */
  attempt(message: WebhookMessage): Promise<AttemptOutcome>;
  readonly deliveries: DeliveryPort;
}

/** What the module uses of the deliveries on their way. */
export interface DeliveryPort {
  /** Before a change of subscriptions, in its transaction: what happened goes by those that were. */
  takeUp(tx: Transaction): void;
  /** Makes a delivery, due at once. Inside an operation. */
  deliver(
    tx: Transaction,
    webhook: Pick<Webhook, "id" | "orgId">,
    payload: EventEnvelope<WebhookEventType>,
  ): NewWebhookDelivery;
  /** Has the next attempt made at once. Inside an operation. @returns false when it has ended */
  hasten(tx: Transaction, delivery: WebhookDelivery): boolean;
  /** Ends what waits for a webhook that is disabled. */
  endWaiting(webhook: Pick<Webhook, "orgId" | "id">): Promise<void>;
  /** Removes the deliveries of a webhook that was removed. */
  removeAll(webhookId: string): Promise<void>;
}

export type WebhookService = ReturnType<typeof createWebhookService>;

/** Makes the service. */
export function createWebhookService(options: WebhookServiceOptions) {
  const { stores, write, writer, clock, time, random, deliveries } = options;
  const { webhooks, webhookDeliveries } = stores;

  const existing = (orgId: string, webhookId: string): Webhook => {
    const webhook = webhooks.get(orgId, webhookId);
    if (webhook === undefined) throw noSuch("webhook");
    return webhook;
  };
  const existingDelivery = (webhookId: string, deliveryId: string): WebhookDelivery => {
    const delivery = webhookDeliveries.get(webhookId, deliveryId);
    if (delivery !== undefined) return delivery;
    throw validationError([{ path: "deliveryId", message: "The webhook has no such delivery" }]);
  };
  const requireRoom = (orgId: string): void => requireNotFull("webhooks", webhooks.count(orgId));
  const requireEndpoint = async (url: string): Promise<void> => {
    const message = await options.endpointFault(url);
    if (message !== undefined) throw validationError([{ path: "url", message }]);
  };
  /** Inside the transaction of a change. @returns the webhook as it then is */
  const changed = (webhook: Webhook, change: WebhookChange): Webhook => {
    const row = webhooks.update(webhook.orgId, webhook.id, change);
    if (row === undefined) throw new Error("the webhook vanished inside its own transaction");
    return row;
  };
  const shown = (delivery: NewWebhookDelivery) =>
    deliveryRecord(delivery, clock.now() - time.now());
  const newSecret = (): string =>
    `${WEBHOOK_SECRET_START}${random.bytes(WEBHOOK_SECRET_BYTES).toString("base64")}`;

  return {
    /** @throws ApiError NOT_FOUND */
    existing,

    /** Newest first. */
    list: (orgId: string) => ({ webhooks: webhooks.list(orgId).map(webhookRecord) }),

    /** @throws ApiError NOT_FOUND */
    get: (orgId: string, webhookId: string) => ({
      webhook: webhookRecord(existing(orgId, webhookId)),
    }),

    /** @throws ApiError VALIDATION_ERROR, or CONFLICT when there are too many */
    async create(principal: UserPrincipal, body: CreateWebhookBody) {
      await requireEndpoint(body.url);
      const now = clock.now();
      const webhook: Webhook = {
        ...{ id: random.id("whk"), orgId: principal.orgId, url: body.url },
        description: body.description ?? null,
        events: [...new Set(body.events)],
        enabled: body.enabled ?? true,
        ...{ failureCount: 0, lastDeliveryAt: null, lastDeliveryStatus: null },
        secret: newSecret(),
        ...{ createdBy: principal.userId, createdAt: now, updatedAt: now },
      };
      await write(principal, (tx) => {
        requireRoom(principal.orgId);
        deliveries.takeUp(tx);
        webhooks.insert(webhook);
        note(options, principal, { action: "webhook.created", webhook });
      });
      return { webhook: { ...webhookRecord(webhook), secret: webhook.secret } };
    },

    /** @throws ApiError NOT_FOUND, VALIDATION_ERROR, or CONFLICT while it is disabled */
    async update(principal: UserPrincipal, webhookId: string, body: UpdateWebhookBody) {
      const known = existing(principal.orgId, webhookId);
      // What is wrong with a body is told before what is wrong with the state of its record.
      if (body.url !== undefined) await requireEndpoint(body.url);
      requireEnabled(known, body);
      // What waited when it was disabled has ended for good before anything new may come.
      if (!known.enabled) await deliveries.endWaiting(known);
      const row = await write(principal, (tx) => {
        const before = existing(principal.orgId, webhookId);
        requireEnabled(before, body);
        deliveries.takeUp(tx);
        const webhook = changed(before, { ...changeOf(body), updatedAt: clock.now() });
        note(options, principal, { action: "webhook.updated", webhook });
        return webhook;
      });
      if (row.enabled) return { webhook: webhookRecord(row) };
      await deliveries.endWaiting(row);
      return { webhook: webhookRecord(webhooks.get(row.orgId, row.id) ?? row) };
    },

    /** Removes it with its deliveries. @throws ApiError NOT_FOUND */
    async remove(principal: Principal, webhookId: string): Promise<void> {
      await write(principal, () => {
        const webhook = existing(principal.orgId, webhookId);
        webhooks.remove(principal.orgId, webhookId);
        note(options, principal, { action: "webhook.removed", webhook });
      });
      await deliveries.removeAll(webhookId);
    },

    /** From now on the new one signs alone. @throws ApiError NOT_FOUND */
    async rotateSecret(principal: Principal, webhookId: string) {
      const secret = newSecret();
      await write(principal, () => {
        const webhook = existing(principal.orgId, webhookId);
        changed(webhook, { secret, updatedAt: clock.now() });
        note(options, principal, { action: "webhook.secret_rotated", webhook });
      });
      return { secret };
    },

    /**
     * Delivers `webhook.test` once, also to a disabled webhook. What comes of it does not count
     * among the failures in a row.
     * @throws ApiError NOT_FOUND
     */
    async test(principal: Principal, webhookId: string) {
      const { url, secret } = existing(principal.orgId, webhookId);
      const createdAt = clock.now();
      const envelope = testEnvelope(random.id("evt"), principal.orgId, createdAt);
      const outcome = await options.attempt({ url, secret, envelope });
      const delivery: NewWebhookDelivery = {
        ...{ id: random.id("dlv"), webhookId, orgId: principal.orgId, eventType: WEBHOOK_TEST },
        ...{ payload: envelope, attempt: 1, ...outcome, createdAt, attemptedAt: createdAt },
        failedAttempts: withAttempt(null, outcome, { number: 1, attemptedAt: createdAt }),
        dueAt: null,
      };
      await writer.run(() => {
        const webhook = existing(principal.orgId, webhookId);
        webhookDeliveries.insert(delivery);
        changed(webhook, { lastDeliveryAt: createdAt, lastDeliveryStatus: outcome.status });
        note(options, principal, { action: "webhook.tested", webhook });
      });
      return { delivery: shown(delivery) };
    },

    /**
     * Delivers once more what a delivery carried, with a schedule of its own: for a receiver that has
     * lost it, or was not there in time. The event's id is the same. One that still waits is not made
     * a second time: its next attempt is made at once.
     * @throws ApiError NOT_FOUND, VALIDATION_ERROR where the webhook has no such delivery, or CONFLICT
     *   for a test and while the webhook is disabled
     */
    async replay(principal: Principal, webhookId: string, deliveryId: string) {
      const delivery = await write(principal, (tx) => {
        const webhook = existing(principal.orgId, webhookId);
        const stored = existingDelivery(webhookId, deliveryId);
        const { payload } = stored;
        if (!webhook.enabled) {
          throw new ApiError("CONFLICT", "The webhook is disabled: enable it first");
        }
        const { type } = payload;
        if (!isWebhookEventType(type)) {
          throw new ApiError("CONFLICT", "A test is not repeated: send another one");
        }
        note(options, principal, { action: "webhook.delivery_replayed", webhook });
        return deliveries.hasten(tx, stored)
          ? existingDelivery(webhookId, deliveryId)
          : deliveries.deliver(tx, webhook, { ...payload, type });
      });
      return { delivery: shown(delivery), isNew: delivery.id !== deliveryId };
    },

    /** Newest first. @throws ApiError NOT_FOUND */
    deliveries(
      orgId: string,
      webhookId: string,
      query: { readonly status?: DeliveryStatus | undefined; readonly limit: number },
    ) {
      existing(orgId, webhookId);
      return { deliveries: webhookDeliveries.list(webhookId, query).map(shown) };
    },
  };
}

/** @throws ApiError CONFLICT for a change of a disabled webhook that does not enable it */
function requireEnabled({ enabled }: Webhook, body: UpdateWebhookBody): void {
  if (enabled || body.enabled === true) return;
  throw new ApiError("CONFLICT", "The webhook is disabled; send enabled: true with the change");
}

/** The columns that a body changes. */
function changeOf({ url, description, events, enabled }: UpdateWebhookBody): WebhookChange {
  return {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events: [...new Set(events)] }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(enabled === true ? { failureCount: 0 } : {}),
  };
}

function testEnvelope(id: string, orgId: string, at: number): WebhookEnvelope {
  const data = { test: true, message: "This is a test delivery of a fiscald webhook" };
  return { id, type: WEBHOOK_TEST, createdAt: isoTime(at), orgId, data };
}

/** Paths and queries of URLs may hold secrets of the receiver: only the host is noted. */
function note(
  { stores, clock }: WebhookServiceOptions,
  principal: Principal,
  { action, webhook }: { readonly action: AuditAction; readonly webhook: Webhook },
): void {
  const { id: resource, url, events, enabled } = webhook;
  const details = { host: new URL(url).host, events, enabled };
  stores.audit.append({ ...callerOf(principal), at: clock.now(), action, resource, details });
}
