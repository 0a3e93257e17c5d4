/** Webhooks: what may be subscribed to, what is sent, and the state of a delivery. */

import type { EventEnvelope } from "./events.ts";

/** Events that a subscription may list. */
export const WEBHOOK_EVENT_TYPES = [
  "receipt.created",
  "command.completed",
  "command.failed",
  "command.timeout",
  "device.online",
  "device.offline",
  "report.generated",
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export function isWebhookEventType(type: string): type is WebhookEventType {
  const types: readonly string[] = WEBHOOK_EVENT_TYPES;
  return types.includes(type);
}

/** Sent on demand, to one subscription, and never subscribed to. */
export const WEBHOOK_TEST = "webhook.test";

/** A signing secret is this and 32 bytes in base64. */
export const WEBHOOK_SECRET_START = "whsec_";
export const WEBHOOK_SECRET_BYTES = 32;

export const DELIVERY_STATUSES = ["pending", "success", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const FINAL_DELIVERY_STATUSES = ["success", "failed"] as const;

/** The body of a delivery; the same for every attempt. */
export type WebhookEnvelope = EventEnvelope<WebhookEventType | typeof WEBHOOK_TEST>;

/** What is delivered, and where. */
export interface WebhookMessage {
  /** An https URL, without user and password. */
  readonly url: string;
  /** Signs it. */
  readonly secret: string;
  readonly envelope: WebhookEnvelope;
}

/** What came of one attempt to deliver. */
export interface AttemptOutcome {
  readonly status: (typeof FINAL_DELIVERY_STATUSES)[number];
  /** Null when nobody answered, as is the body. */
  readonly httpStatus: number | null;
  readonly responseBody: string | null;
  /** Why it failed, in words. */
  readonly error: string | null;
}

/** An attempt that failed, as it is kept with its delivery. */
export interface FailedAttempt extends Omit<AttemptOutcome, "status"> {
  /** 1 for the first. */
  readonly number: number;
  /** UTC milliseconds. */
  readonly attemptedAt: number;
}

/** The failed attempts of a delivery, when one more was made. @returns null where none failed */
export function withAttempt(
  before: readonly FailedAttempt[] | null,
  { status, ...outcome }: AttemptOutcome,
  made: Pick<FailedAttempt, "number" | "attemptedAt">,
): readonly FailedAttempt[] | null {
  return status === "success" ? before : [...(before ?? []), { ...made, ...outcome }];
}
