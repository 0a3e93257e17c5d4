/**
 * Attempts what is due: of each webhook one delivery at a time, and so many in all. Deliveries that
 * wait are on disk; here stands only which webhook something waits for, and since when or until when.
 *
 * All instants are of the counted time, so that a clock that is set makes nothing due and holds
 * nothing back. A process that ends during an attempt has not written that it was made: the delivery
 * is attempted again, so it arrives at least once.
 */

import { failureBeginning } from "#core/delivery-failure.ts";
import type { AttemptOutcome } from "#core/webhook.ts";
import type { WebhookDelivery } from "#db/stores/webhook-deliveries.ts";
import type { Webhook } from "#db/stores/webhooks.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Attempt } from "./attempt.ts";
import { type AttemptEnd, type AttemptRecordOptions, recordAttempt } from "./attempt-record.ts";

export interface DeliveryWorkerOptions extends AttemptRecordOptions {
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now" | "elapsed" | "setTimer">;
  readonly log: Log;
  readonly attempt: Attempt;
}

/** A webhook that something waits for. */
interface Target {
  readonly webhookId: string;
  /** When the first delivery is due, and before when nothing is attempted. Counted time. */
  dueAt: number;
  pausedUntil: number;
  isBusy: boolean;
  /** The delivery that is being attempted; 0 for none. */
  underWay: number;
}

/** Attempts at once: each has a connection and one event in memory. */
const ATTEMPTS_MAX = 64;
/** Of these to endpoints that take long: those that hang leave room for the others. */
const SLOW_ATTEMPTS_MAX = 16;
const SLOW_MS = 2_000;
/** After a fault of the gateway's own, such as a full disk, nothing is attempted for so long. */
const FAULT_PAUSE_MS = 60_000;

const DISABLED = failureBeginning("disabled");

export class DeliveryWorker {
  readonly #o: DeliveryWorkerOptions;
  readonly #targets = new Map<string, Target>();
  /** Webhooks whose endpoint took long over the last attempt, whether something waits for them or not. */
  readonly #slow = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #slowRunning = 0;
  #cancelTimer: (() => void) | undefined;
  #isStopping = false;
  readonly #end = new AbortController();

  constructor(options: DeliveryWorkerOptions) {
    this.#o = options;
  }

  /** Takes up what the last run left, and ends what waits for webhooks that take nothing any more. */
  async start(): Promise<void> {
    const { stores } = this.#o;
    for (const webhookId of stores.webhookDeliveries.webhooksWaitedFor()) {
      const first = stores.webhookDeliveries.nextWaiting(webhookId);
      const webhook = first && stores.webhooks.get(first.orgId, webhookId);
      if (webhook?.enabled) this.wake(webhookId);
      else await this.#giveUp(webhookId, webhook);
    }
  }

  /** Something may be due for the webhook. */
  wake(webhookId: string): void {
    const target = this.#targets.get(webhookId) ?? newTarget(webhookId);
    this.#targets.set(webhookId, target);
    target.dueAt = target.pausedUntil;
    this.#beginDue();
  }

  /**
   * Ends what waits for a webhook that is disabled, but for what is being attempted. In parts, so
   * that nobody waits for the thousands that there may be.
   */
  async endWaiting({ orgId, id }: Pick<Webhook, "orgId" | "id">): Promise<void> {
    const { writer, stores, clock } = this.#o;
    const endSome = (): boolean => {
      if (stores.webhooks.get(orgId, id)?.enabled !== false) return false;
      const underWay = this.#targets.get(id)?.underWay;
      const { count, hasMore } = stores.webhookDeliveries.endSome(id, DISABLED, underWay);
      const last = { lastDeliveryAt: clock.now(), lastDeliveryStatus: "failed" } as const;
      if (count > 0) stores.webhooks.update(orgId, id, last);
      return hasMore;
    };
    while (await writer.run(endSome));
  }

  /** Removes every delivery of a webhook that was removed, in parts too. */
  async removeAll(webhookId: string): Promise<void> {
    const { writer, stores } = this.#o;
    this.#slow.delete(webhookId);
    while (await writer.run(() => stores.webhookDeliveries.removeSome(webhookId)));
  }

  /** What waits for a webhook that takes nothing any more. @param webhook undefined where it is gone */
  #giveUp(webhookId: string, webhook: Webhook | undefined): Promise<void> {
    return webhook ? this.endWaiting(webhook) : this.removeAll(webhookId);
  }

  /** Begins no attempt any more, and breaks off after `graceMs` what is under way. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#cancelTimer?.();
    const cancel = this.#o.clock.setTimer(graceMs, () => this.#end.abort());
    await Promise.all(this.#running);
    cancel();
  }

  #beginDue(): void {
    if (this.#isStopping) return;
    const now = this.#o.time.now();
    const idle = [...this.#targets.values()].filter(({ isBusy }) => !isBusy);
    const due = idle.filter(({ dueAt }) => dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
    for (const target of due) if (this.#hasRoom(target)) this.#begin(target);
    this.#cancelTimer?.();
    const nextAt = Math.min(...idle.flatMap(({ dueAt }) => (dueAt > now ? [dueAt] : [])));
    if (nextAt === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#o.clock.setTimer(nextAt - now, () => this.#beginDue());
  }

  #hasRoom({ webhookId }: Target): boolean {
    if (this.#running.size >= ATTEMPTS_MAX) return false;
    return !this.#slow.has(webhookId) || this.#slowRunning < SLOW_ATTEMPTS_MAX;
  }

  #begin(target: Target): void {
    const isSlow = this.#slow.has(target.webhookId);
    target.isBusy = true;
    this.#slowRunning += isSlow ? 1 : 0;
    const turn = this.#turn(target)
      .catch((error: unknown) => {
        this.#o.log.error("webhook delivery not attempted", { ...target, error });
        target.pausedUntil = this.#o.time.now() + FAULT_PAUSE_MS;
        target.dueAt = target.pausedUntil;
      })
      .finally(() => {
        target.isBusy = false;
        target.underWay = 0;
        this.#slowRunning -= isSlow ? 1 : 0;
        this.#running.delete(turn);
        this.#beginDue();
      });
    this.#running.add(turn);
  }

  /** Attempts the delivery of a webhook that is due first, and finds out when the next one is. */
  async #turn(target: Target): Promise<void> {
    const { stores, time } = this.#o;
    const { webhookId } = target;
    const delivery = stores.webhookDeliveries.nextWaiting(webhookId);
    const webhook = delivery && stores.webhooks.get(delivery.orgId, webhookId);
    // Left over where a write failed as they were being ended.
    if (delivery && !webhook?.enabled) await this.#giveUp(webhookId, webhook);
    else if (delivery && webhook && (delivery.dueAt ?? 0) <= time.now()) {
      target.underWay = delivery.seq;
      const end = await this.#attempt(target, webhook, delivery);
      if (end === "disabled") await this.endWaiting(webhook);
      if (end === "gone") this.#slow.delete(webhookId);
    }
    // It may have been enabled, or disabled, while that was waited for.
    const next = stores.webhookDeliveries.nextWaiting(webhookId);
    const takesNext = next !== undefined && stores.webhooks.get(next.orgId, webhookId)?.enabled;
    if (takesNext) target.dueAt = next.dueAt ?? 0;
    else this.#targets.delete(webhookId);
  }

  async #attempt(
    target: Target,
    { url, secret }: Webhook,
    delivery: WebhookDelivery,
  ): Promise<AttemptEnd | undefined> {
    const { clock, writer, attempt } = this.#o;
    const attemptedAt = clock.now();
    const startedAt = clock.elapsed();
    const outcome = await attempt({ url, secret, envelope: delivery.payload }, this.#end.signal);
    if (clock.elapsed() - startedAt >= SLOW_MS) this.#slow.add(target.webhookId);
    else this.#slow.delete(target.webhookId);
    if (this.#end.signal.aborted) return undefined;
    const made = { delivery, outcome, attemptedAt };
    const end = await writer.run(() => recordAttempt(this.#o, made), "later");
    this.#note(delivery, outcome, end);
    return end;
  }

  #note(delivery: WebhookDelivery, { httpStatus, error }: AttemptOutcome, end: AttemptEnd): void {
    const { log } = this.#o;
    const { webhookId, id: deliveryId, eventType } = delivery;
    const fields = { webhookId, deliveryId, eventType, attempt: delivery.attempt + 1 };
    if (end === "success") log.debug("webhook delivered", fields);
    if (end === "again") log.debug("webhook not delivered yet", { ...fields, httpStatus, error });
    if (end === "failed" || end === "disabled") {
      log.warn("webhook not delivered", { ...fields, httpStatus, error });
    }
    if (end === "disabled") log.warn("webhook disabled, so many deliveries failed", { webhookId });
  }
}

/** Whether and when something is due shows with its first turn. */
function newTarget(webhookId: string): Target {
  return { webhookId, dueAt: 0, pausedUntil: 0, isBusy: false, underWay: 0 };
}
