/** What a delivery carries so that its receiver can tell who sent it. */

import { createHmac } from "node:crypto";
import { WEBHOOK_SECRET_START } from "#core/webhook.ts";

/** What is signed. */
export interface SignedMessage {
  /** `whsec_` and the key in base64; any other text is its own key. */
  readonly secret: string;
  /** The event's, so that a receiver knows a repetition for one. */
  readonly id: string;
  /** UTC milliseconds. */
  readonly at: number;
  /** As it is sent, byte for byte. */
  readonly body: string;
}

/**
 * The service's own signature header, and the three of Standard Webhooks 1.0.0. They differ in their
 * key: the first takes the secret's text, the other what it stands for.
 */
export function signatureHeaders({ secret, id, at, body }: SignedMessage): Record<string, string> {
  const seconds = Math.floor(at / 1_000);
  const own = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  const standard = createHmac("sha256", keyOf(secret))
    .update(`${id}.${seconds}.${body}`)
    .digest("base64");
  return {
    "x-service-signature": `t=${seconds},v1=${own}`,
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${standard}`,
  };
}

function keyOf(secret: string): Buffer {
  if (!secret.startsWith(WEBHOOK_SECRET_START)) return Buffer.from(secret);
  return Buffer.from(secret.slice(WEBHOOK_SECRET_START.length), "base64");
}
