/** One attempt to deliver an event to a webhook. */

import { failureBeginning } from "#core/delivery-failure.ts";
import { toDeviceText } from "#core/device-text.ts";
import { DELIVERY_ATTEMPT_MS } from "#core/limits.ts";
import type { AttemptOutcome, WebhookMessage } from "#core/webhook.ts";
import type { Clock } from "../platform/clock.ts";
import { errorCode } from "../platform/thrown.ts";
import { EndpointRefused, type Endpoints } from "./endpoint.ts";
import { failureWords } from "./failure-words.ts";
import { httpsPost, type PostAnswer } from "./https-post.ts";
import { signatureHeaders } from "./signature.ts";
import type { Trust } from "./trust.ts";

export interface AttemptOptions {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly trust: Trust;
  /** Of this program, for the receiver's log. */
  readonly version: string;
}

/** @param end ends it before its time */
export type Attempt = (message: WebhookMessage, end?: AbortSignal) => Promise<AttemptOutcome>;

/** These are about one address; the next one of the name may do better. */
const UNREACHED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
]);

/** Makes the function that delivers. It never rejects. */
export function createAttempt(options: AttemptOptions): Attempt {
  return async (message, end) => {
    const limit = new AbortController();
    const onEnd = (): void => limit.abort(new Error("The gateway stopped"));
    end?.addEventListener("abort", onEnd, { once: true });
    if (end?.aborted) onEnd();
    const cancel = options.clock.setTimer(DELIVERY_ATTEMPT_MS, () =>
      limit.abort(new Error(`${failureBeginning("late")} ${DELIVERY_ATTEMPT_MS / 1_000} s`)),
    );
    try {
      return outcomeOf(await post(options, message, limit.signal));
    } catch (error) {
      return failed(error);
    } finally {
      cancel();
      end?.removeEventListener("abort", onEnd);
    }
  };
}

/** Connects to the addresses that were checked, one after another until one takes the request. */
async function post(
  { clock, endpoints, trust, version }: AttemptOptions,
  { url: text, secret, envelope }: WebhookMessage,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const url = new URL(text);
  const body = JSON.stringify(envelope);
  const signature = signatureHeaders({ secret, id: envelope.id, at: clock.now(), body });
  const headers = { "user-agent": `fiscald/${version}`, ...signature };
  const addresses = await beforeEnd(endpoints.addressesOf(url), signal);
  const secureContext = await trust();
  let reason: unknown = new Error("The name has no address");
  for (const address of addresses) {
    try {
      return await httpsPost({ url, address, headers, body, secureContext, signal });
    } catch (error) {
      reason = error;
      if (!UNREACHED.has(errorCode(error) ?? "")) break;
    }
  }
  throw reason;
}

/** A look-up cannot be called off; its result is left alone then. */
function beforeEnd<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    pending.then(resolve, reject);
  });
}

function outcomeOf({ status: httpStatus, body: responseBody }: PostAnswer): AttemptOutcome {
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  return {
    status: isSuccess ? "success" : "failed",
    httpStatus,
    responseBody,
    error: isSuccess ? null : `${failureBeginning("answered")} ${httpStatus}`,
  };
}

function failed(error: unknown): AttemptOutcome {
  const prefix = error instanceof EndpointRefused ? failureBeginning("not_allowed") : "";
  const text = toDeviceText(`${prefix}${failureWords(error)}`);
  return { status: "failed", httpStatus: null, responseBody: null, error: text };
}
