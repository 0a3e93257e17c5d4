/**
 * Makes deliveries of stored events: one for each event and each enabled webhook that wants it.
 *
 * How far this has come, the cursor, is stored in the transaction of the deliveries. So each event
 * is taken up once, whichever process stored it and whatever ends this one. Nothing of it happens in
 * the transaction of the event: what a receipt waits for is as long as without webhooks.
 *
 * Who changes a subscription calls `takeUpAll` in the same transaction before: what happened until
 * then goes by the subscriptions as they were, what happens afterwards by those that there are then.
 */

import type { EventEnvelope } from "#core/events.ts";
import { isWebhookEventType, type WebhookEventType } from "#core/webhook.ts";
import type { EventRow } from "#db/stores/events.ts";
import type { Stores } from "#db/stores/index.ts";
import type { NewWebhookDelivery, WebhookDelivery } from "#db/stores/webhook-deliveries.ts";
import type { Webhook } from "#db/stores/webhooks.ts";
import type { Transaction } from "#db/writer.ts";
import type { ToEnvelope } from "../events/envelope.ts";
import { type EventSubjects, storedEvent } from "../events/stored-form.ts";
import type { Clock } from "../platform/clock.ts";
import type { CountedTime } from "../platform/counted-time.ts";
import type { Random } from "../platform/random.ts";

export interface EventIntakeOptions {
  readonly stores: Pick<Stores, "events" | "webhooks" | "webhookDeliveries" | "appliance"> &
    EventSubjects;
  readonly clock: Pick<Clock, "now">;
  readonly time: CountedTime;
  readonly random: Random;
  readonly toEnvelope: ToEnvelope;
  /** Something waits for the webhook; that is on disk. */
  onDelivery(webhookId: string): void;
}

/** `seq` of the newest event that was taken up. */
const CURSOR = "webhooks.cursor";
/** Of one operation, so that nobody waits for it for long: events read, and deliveries made. */
const EVENTS_AT_ONCE = 200;
const DELIVERIES_AT_ONCE = 200;

export class EventIntake {
  readonly #o: EventIntakeOptions;
  /** `seq` of the newest event that was there before this process made any, until it is looked at. */
  #newestFound: number | undefined;

  constructor(options: EventIntakeOptions) {
    this.#o = options;
    this.#newestFound = options.stores.events.lastSeq();
  }

  /** Takes up every event that is stored. Inside an operation. */
  takeUpAll(tx: Transaction): void {
    while (this.takeUpSome(tx));
  }

  /** Takes up some events. Inside an operation. @returns false when no more were left */
  takeUpSome(tx: Transaction): boolean {
    const { events, webhooks } = this.#o.stores;
    const newest = events.lastSeq();
    const stored = this.#cursor();
    // Before there was a cursor there were no deliveries: what happened then is not made up for.
    const cursor = this.#notBeyond(stored ?? newest);
    const takenUpTo = webhooks.isAnyEnabled() ? this.#takeUp(tx, cursor) : newest;
    if (takenUpTo !== stored) this.#o.stores.appliance.put(CURSOR, String(takenUpTo));
    tx.after(() => {
      this.#newestFound = undefined;
    });
    return takenUpTo < newest;
  }

  #cursor(): number | undefined {
    const text = this.#o.stores.appliance.find(CURSOR);
    return text === undefined ? undefined : Number(text);
  }

  /**
   * A cursor beyond the newest event comes from a repair that could not read the events up to there:
   * the next ones have their numbers again, and are new all the same.
   */
  #notBeyond(cursor: number): number {
    return Math.min(cursor, this.#newestFound ?? cursor);
  }

  /** @returns `seq` of the last event that was taken up */
  #takeUp(tx: Transaction, cursor: number): number {
    let made = 0;
    let takenUpTo = cursor;
    for (const row of this.#o.stores.events.listAfter(cursor, EVENTS_AT_ONCE)) {
      if (isWebhookEventType(row.type)) made += this.#deliver(tx, { ...row, type: row.type });
      takenUpTo = row.seq;
      if (made >= DELIVERIES_AT_ONCE) break;
    }
    return takenUpTo;
  }

  /** @returns the number of deliveries */
  #deliver(tx: Transaction, row: EventRow & { readonly type: WebhookEventType }): number {
    const { stores, toEnvelope } = this.#o;
    const { orgId, type } = row;
    const wanting = stores.webhooks.enabledOf(orgId).filter(({ events }) => events.includes(type));
    if (wanting.length === 0) return 0;
    const stored = storedEvent(row, stores);
    if (stored === undefined) return 0;
    const payload = { ...toEnvelope(stored), type };
    for (const webhook of wanting) this.deliver(tx, webhook, payload);
    return wanting.length;
  }

  /**
   * Has the next attempt of a delivery made at once. Inside an operation.
   * @returns false when it has ended
   */
  hasten(tx: Transaction, { seq, webhookId }: WebhookDelivery): boolean {
    const { stores, time, onDelivery } = this.#o;
    const isWaiting = stores.webhookDeliveries.hasten(seq, time.now());
    if (isWaiting) tx.after(() => onDelivery(webhookId));
    return isWaiting;
  }

  /** Makes a delivery, due at once. Inside an operation. */
  deliver(
    tx: Transaction,
    { id: webhookId, orgId }: Pick<Webhook, "id" | "orgId">,
    payload: EventEnvelope<WebhookEventType>,
  ): NewWebhookDelivery {
    const { stores, random, clock, time, onDelivery } = this.#o;
    const delivery: NewWebhookDelivery = {
      ...{ id: random.id("dlv"), webhookId, orgId, eventType: payload.type, payload },
      ...{ status: "pending", attempt: 0, httpStatus: null, responseBody: null, error: null },
      ...{ attemptedAt: null, failedAttempts: null, createdAt: clock.now(), dueAt: time.now() },
    };
    stores.webhookDeliveries.insert(delivery);
    tx.after(() => onDelivery(webhookId));
    return delivery;
  }
}
