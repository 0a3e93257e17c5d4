/**
 * The relay that turns wake-ups into push notifications: a server of the shop's or its supplier's,
 * for example beside Firebase Cloud Messaging. It is named in the settings by whoever runs the
 * gateway, so it may be anywhere.
 */

import { readBody } from "../platform/bounded-body.ts";
import type { Clock } from "../platform/clock.ts";
import { errorText } from "../platform/thrown.ts";
import { signatureHeaders } from "../webhooks/signature.ts";

/** What wakes a controller. */
export interface WakeUp {
  /** Of the controller's app, as it registered it. */
  readonly token: string;
  readonly orgId: string;
  readonly controllerId: string;
  /** The device for which a command waits, and the command. */
  readonly deviceId: string;
  readonly commandId: string;
}

/** `unregistered`: nobody has the token any more. */
export type WakeUpOutcome =
  | { readonly kind: "taken" }
  | { readonly kind: "unregistered" }
  | { readonly kind: "failed"; readonly reason: string };

export type SendWakeUp = (wakeUp: WakeUp, signal: AbortSignal) => Promise<WakeUpOutcome>;

export interface RelayOptions {
  readonly url: string;
  /** Sent as the bearer's token, and signs what is sent. */
  readonly key: string;
  readonly clock: Pick<Clock, "now">;
  /** Names each message, so that a relay knows one that comes twice. */
  messageId(): string;
  /** Of this program, for the relay's log. */
  readonly version: string;
}

/** As long as a controller is waited for at least. */
const TTL_SECONDS = 60;
const GONE = 410;
/** Of an answer; nothing that a relay has to say is longer. */
const ANSWER_BYTES_MAX = 4_096;

/** Makes what sends to a relay. It never rejects. */
export function createRelay(options: RelayOptions): SendWakeUp {
  return async (wakeUp, signal) => {
    try {
      return await outcomeOf(await fetch(options.url, requestOf(options, wakeUp, signal)));
    } catch (error) {
      return { kind: "failed", reason: errorText(error) };
    }
  };
}

function requestOf(
  { key, clock, messageId, version }: RelayOptions,
  { token, ...wakeUp }: WakeUp,
  signal: AbortSignal,
): RequestInit {
  const data = { type: "wake", ...wakeUp };
  const body = JSON.stringify({ token, priority: "high", ttlSeconds: TTL_SECONDS, data });
  const signature = signatureHeaders({ secret: key, id: messageId(), at: clock.now(), body });
  return {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...{ "user-agent": `fiscald/${version}`, ...signature },
    },
    ...{ body, redirect: "manual", signal },
  };
}

async function outcomeOf(answer: Response): Promise<WakeUpOutcome> {
  if (answer.status === GONE) {
    await answer.body?.cancel();
    return { kind: "unregistered" };
  }
  // Whatever its status: a relay may pass on that of the service behind it.
  if (isUnregistered(await shortText(answer))) return { kind: "unregistered" };
  if (answer.ok) return { kind: "taken" };
  return { kind: "failed", reason: `The relay answered ${answer.status}` };
}

/** The body; nothing where it is longer than anything that counts. */
async function shortText({ body }: Response): Promise<string> {
  const read = await readBody(body, ANSWER_BYTES_MAX);
  return new TextDecoder().decode(read);
}

function isUnregistered(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return (
      typeof body === "object" &&
      body !== null &&
      "unregistered" in body &&
      body.unregistered === true
    );
  } catch {
    return false;
  }
}
