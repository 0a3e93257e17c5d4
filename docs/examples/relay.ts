// SPDX-License-Identifier: Apache-2.0
/**
 * A relay: has sleeping apps woken by Firebase Cloud Messaging (FCM) when a gateway asks for it.
 * ../push.md says what the gateway sends, README.md beside this file how to run it.
 * Bun, or Node.js 22.18 or later, and one package: npm install google-auth-library@11
 */

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { GoogleAuth } from "google-auth-library";

const { FISCALD_RELAY_KEY: key = "", PORT = "8091" } = process.env;
// Google may take so long for an access token, and again for a message: the gateway waits 10 s.
const { FCM_URL = "https://fcm.googleapis.com", GOOGLE_MS = "4000" } = process.env;
const STALE_SECONDS = 300; // what was signed longer ago may be somebody's recording
const BODY_BYTES_MAX = 16_384;
const IDS_MAX = 10_000;

/** What the gateway sends. */
interface WakeUp {
  readonly token: string;
  readonly priority: string;
  readonly ttlSeconds: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the gateway is answered, and what the log says of it. */
interface Answer {
  readonly status: number;
  readonly why: string;
  readonly retryAfter?: string;
}

/** What FCM says when it does not take a message. */
interface FcmBody {
  readonly error?: {
    readonly message?: string;
    readonly details?: readonly {
      readonly errorCode?: string;
      readonly fieldViolations?: readonly { readonly field?: string }[];
    }[];
  };
}

/** Fetches access tokens for the service account, and keeps each for as long as it is valid. */
const google = new GoogleAuth({
  scopes: "https://www.googleapis.com/auth/firebase.messaging",
  // The gateway tries again by itself, so nothing is repeated here.
  clientOptions: { transporterOptions: { timeout: Number(GOOGLE_MS), retryConfig: { retry: 0 } } },
});

/** The same text, in a time that does not tell how much of it is right. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** True for a body that was signed with our key, just now. */
function isSigned(header: string, body: Buffer): boolean {
  const [, at = "", given = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const age = Math.abs(Date.now() / 1_000 - Number(at));
  if (given === "" || age > STALE_SECONDS) return false;
  const ours = createHmac("sha256", key).update(`${at}.`).update(body).digest();
  return timingSafeEqual(ours, Buffer.from(given, "hex"));
}

/** The body as it arrived; undefined when it is longer than any wake-up. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > BODY_BYTES_MAX) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The wake-up in a body; undefined when there is none. */
function wakeUpOf(body: Buffer): WakeUp | undefined {
  try {
    const wakeUp = JSON.parse(body.toString()) as WakeUp;
    const hasTarget = typeof wakeUp.token === "string" && wakeUp.data instanceof Object;
    return hasTarget && Number.isInteger(wakeUp.ttlSeconds) ? wakeUp : undefined;
  } catch {
    return undefined;
  }
}

/** The wake-up as a message of FCM that shows nothing: the app gets `data`, and acts on it. */
function messageOf({ token, priority, ttlSeconds, data }: WakeUp) {
  const expiresAt = Math.floor(Date.now() / 1_000) + ttlSeconds;
  return {
    token,
    // FCM takes texts only.
    data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)])),
    android: { priority: priority === "high" ? "HIGH" : "NORMAL", ttl: `${ttlSeconds}s` },
    apns: {
      // Apple takes what shows nothing as "background" and with priority 5 only.
      headers: {
        "apns-push-type": "background",
        "apns-priority": "5",
        "apns-expiration": String(expiresAt),
      },
      payload: { aps: { "content-available": 1 } },
    },
  };
}

/**
 * True when nobody has the token any more, or it never was one. A 400 may also be about the rest of
 * the message: then the token stays. https://firebase.google.com/docs/cloud-messaging/error-codes
 */
function isTokenDead(status: number, { error = {} }: FcmBody): boolean {
  const details = error.details ?? [];
  if (status === 404) return details.some(({ errorCode }) => errorCode === "UNREGISTERED");
  const violations = details.flatMap(({ fieldViolations = [] }) => fieldViolations);
  const isNamed = violations.some(({ field }) => field === "message.token");
  return status === 400 && (isNamed || /registration token/.test(error.message ?? ""));
}

/** Has FCM wake an app. */
async function wake(wakeUp: WakeUp): Promise<Answer> {
  const { status, headers, data } = await google.request<FcmBody>({
    ...{ url: sendUrl, method: "POST", data: { message: messageOf(wakeUp) } },
    ...{ responseType: "json", validateStatus: () => true },
  });
  // The code alone: what FCM says in words may repeat the token.
  const codes = data.error?.details?.flatMap(({ errorCode = [] }) => errorCode) ?? [];
  const why = ["FCM answered", status, ...codes].join(" ");
  if (status === 200) return { status: 200, why };
  if (isTokenDead(status, data)) return { status: 410, why };
  if (status !== 429 && status < 500) return { status: 502, why };
  const retryAfter = headers.get("retry-after");
  return { status: 503, why, ...(retryAfter === null ? {} : { retryAfter }) };
}

/** What the last wake-ups were answered, by their ids: one that comes again is not sent again. */
const answers = new Map<string, Promise<Answer>>();

function wakeOnce(id: string, wakeUp: WakeUp): Promise<Answer> {
  const known = answers.get(id);
  if (known !== undefined) return known;
  const answer = wake(wakeUp).catch((error: Error) => ({ status: 502, why: error.message }));
  answers.set(id, answer);
  for (const oldest of answers.keys()) {
    if (answers.size <= IDS_MAX) break;
    answers.delete(oldest);
  }
  return answer;
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const { authorization = "", ...headers } = request.headers;
  if (request.method !== "POST") return { status: 405, why: "not a POST" };
  if (!isSame(authorization, `Bearer ${key}`)) return { status: 401, why: "another key" };
  const body = await bodyOf(request);
  if (body === undefined) return { status: 413, why: "too long" };
  const signature = String(headers["x-service-signature"] ?? "");
  if (!isSigned(signature, body)) return { status: 401, why: "not signed, or not just now" };
  const [id, wakeUp] = [String(headers["webhook-id"] ?? ""), wakeUpOf(body)];
  if (id === "" || wakeUp === undefined) return { status: 400, why: "no wake-up" };
  const { why, ...rest } = await wakeOnce(id, wakeUp);
  return { ...rest, why: `${id}, ${why}` };
}

if (key === "") {
  console.error("Set FISCALD_RELAY_KEY to the gateway's push.relayKey.");
  process.exit(2);
}
const [project] = await Promise.all([google.getProjectId(), google.getClient()]).catch(() => {
  console.error("Set GOOGLE_APPLICATION_CREDENTIALS to the JSON key of a service account.");
  process.exit(2);
});
const sendUrl = `${FCM_URL}/v1/projects/${project}/messages:send`;

function respond(response: ServerResponse, { status, why, retryAfter }: Answer): void {
  console.log(`${status}: ${why}`);
  response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end();
}

const server = createServer((request, response) => {
  answer(request).then(
    (given) => respond(response, given),
    () => respond(response, { status: 500, why: "the request broke off" }),
  );
});
server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on port ${typeof address === "object" ? address?.port : PORT}`);
});
