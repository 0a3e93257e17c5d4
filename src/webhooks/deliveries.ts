/** Deliveries from stored events: taking events up, and attempting what comes of them. */

import type { StoredEvent } from "#core/events.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Webhook } from "#db/stores/webhooks.ts";
import type { Transaction } from "#db/writer.ts";
import type { EventBus } from "../events/bus.ts";
import { DeliveryWorker, type DeliveryWorkerOptions } from "./delivery-worker.ts";
import { EventIntake, type EventIntakeOptions } from "./event-intake.ts";

export interface DeliveriesOptions
  extends DeliveryWorkerOptions,
    Omit<EventIntakeOptions, "onDelivery"> {
  readonly stores: EventIntakeOptions["stores"] & Pick<Stores, "audit">;
  readonly clock: DeliveryWorkerOptions["clock"];
  readonly random: EventIntakeOptions["random"];
  readonly bus: EventBus;
}

export interface Deliveries {
  /** Takes up what the last run left and what happened meanwhile. */
  start(): Promise<void>;
  /**
   * To be called before a change of subscriptions, in its transaction: what has happened so far is
   * delivered by those that there were.
   */
  takeUp(tx: Transaction): void;
  /** Makes a delivery of an event that was delivered before, or was not. Inside an operation. */
  deliver: EventIntake["deliver"];
  /** Has the next attempt of a delivery made at once. Inside an operation. */
  hasten: EventIntake["hasten"];
  /** Ends what waits for a webhook that is disabled. */
  endWaiting(webhook: Pick<Webhook, "orgId" | "id">): Promise<void>;
  /** Removes the deliveries of a webhook that was removed. */
  removeAll(webhookId: string): Promise<void>;
  /** Lets attempts under way take `graceMs` more. */
  stop(graceMs: number): Promise<void>;
}

/** Events that nobody wants may pass until the cursor is moved on. */
const UNWANTED_MAX = 200;
const RETRY_MS = 5_000;

/** Makes them, and listens from now on. */
export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { bus, stores, writer, clock, log } = options;
  const worker = new DeliveryWorker(options);
  const intake = new EventIntake({ ...options, onDelivery: (id) => worker.wake(id) });
  let isTakingUp = false;
  let isMoreThere = false;
  let isStopping = false;
  let unwanted = 0;
  let cancelRetry = (): void => undefined;

  const isWanted = ({ event: { type, orgId } }: StoredEvent): boolean =>
    stores.webhooks.enabledOf(orgId).some(({ events }) => events.some((one) => one === type));
  const takeUp = async (): Promise<void> => {
    isMoreThere = true;
    if (isTakingUp) return;
    isTakingUp = true;
    try {
      while (isMoreThere && !isStopping) {
        isMoreThere = false;
        unwanted = 0;
        while (await writer.run((tx) => intake.takeUpSome(tx), "later"));
      }
    } catch (error) {
      log.error("events not taken up for webhooks", { error });
      if (!isStopping) cancelRetry = clock.setTimer(RETRY_MS, () => void takeUp());
    } finally {
      isTakingUp = false;
    }
  };
  bus.subscribe((stored) => {
    // One that is behind a cursor that stands still costs nothing but this.
    if (isStopping || !stores.webhooks.isAnyEnabled()) return;
    unwanted += 1;
    if (isWanted(stored) || unwanted >= UNWANTED_MAX) void takeUp();
  });

  return {
    async start() {
      // Whatever happened while the program was off: the start waits for none of it.
      void takeUp();
      await worker.start();
    },
    takeUp: (tx) => intake.takeUpAll(tx),
    deliver: (tx, webhook, payload) => intake.deliver(tx, webhook, payload),
    hasten: (tx, delivery) => intake.hasten(tx, delivery),
    endWaiting: (webhook) => worker.endWaiting(webhook),
    removeAll: (webhookId) => worker.removeAll(webhookId),
    stop(graceMs) {
      isStopping = true;
      cancelRetry();
      return worker.stop(graceMs);
    },
  };
}
