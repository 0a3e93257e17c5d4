/**
 * Both signatures of what arrives, checked as receivers check them: by the published library of
 * Standard Webhooks, and by the code that `docs/webhooks.md` gives.
 */

import { afterAll, afterEach, beforeAll, beforeEach, expect, setSystemTime, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import {
  type Certificate,
  makeCertificate,
  type Received,
} from "../../webhooks/testing/https-endpoint.ts";
import { createWebhooksBench, WEBHOOKS, type WebhooksBench } from "./testing/webhooks-bench.ts";

const DOCUMENTATION = join(import.meta.dir, "../../../docs/webhooks.md");
/** Somebody else's. */
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
/** Both ways of checking stop believing a message when it is older than this. */
const FRESH_MS = 300_000;

type DocumentedCheck = (header: string, body: string, secret: string) => boolean;

let certificate: Certificate;
let isFromGateway: DocumentedCheck;
beforeAll(async () => {
  certificate = makeCertificate();
  isFromGateway = await documentedCheck();
});
afterAll(() => certificate.remove());

let bench: WebhooksBench;
/** What the endpoint answers; changed while it runs. */
let status: number;
beforeEach(async () => {
  status = 204;
  bench = await createWebhooksBench({ certificate });
});
afterEach(async () => {
  setSystemTime();
  await bench.close();
});

/** The function of the documentation, as somebody has it who copies it. */
async function documentedCheck(): Promise<DocumentedCheck> {
  const [, code] = /```ts[^\n]*\n(import .*?)```/s.exec(readFileSync(DOCUMENTATION, "utf8")) ?? [];
  if (code === undefined) throw new Error("the documentation has no code for it");
  const folder = mkdtempSync(join(tmpdir(), "fiscald-documented-"));
  try {
    const file = join(folder, "is-from-gateway.ts");
    writeFileSync(file, `${code}\nexport { isFromGateway };\n`);
    return (await import(file)).isFromGateway;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Who takes a message for one of the gateway. @param at when, in UTC milliseconds */
function takenBy({ headers, body }: Received, secret: string, at: number) {
  setSystemTime(at);
  return {
    library: isVerified({ headers, body }, secret),
    documentation: isFromGateway(headers["x-service-signature"] ?? "", body, secret),
  };
}

function isVerified({ headers, body }: Pick<Received, "headers" | "body">, secret: string) {
  try {
    new Webhook(secret).verify(body, { ...headers });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

const BOTH = { library: true, documentation: true };
const NEITHER = { library: false, documentation: false };

/** What a subscribed server received of one event, tried twice, and the secret. */
async function deliveredTwice() {
  const server = await bench.endpoint((response) => response.writeHead(status).end());
  const webhook = await bench.subscribe(server);
  status = 500;
  // Of more bytes than characters: bytes are what is signed.
  await bench.happens("Каса № 1 — café");
  await bench.atRest();
  const firstAt = bench.clock.now();
  status = 204;
  bench.clock.advance(66_000);
  await bench.atRest();
  const [first, again] = server.received;
  if (first === undefined || again === undefined) throw new Error("it did not arrive twice");
  return { ...webhook, server, first, firstAt, again, againAt: bench.clock.now() };
}

test("each attempt is taken by library and documented code, at its time and no later", async () => {
  const { secret, first, firstAt, again, againAt } = await deliveredTwice();
  for (const [received, at] of [[first, firstAt] as const, [again, againAt] as const]) {
    expect(JSON.parse(received.body).data.device.id).toBe("Каса № 1 — café");
    expect(takenBy(received, secret, at)).toEqual(BOTH);
    expect(takenBy(received, secret, at + FRESH_MS - 15_000)).toEqual(BOTH);
    expect(takenBy(received, secret, at + FRESH_MS + 1_000)).toEqual(NEITHER);
    expect(takenBy(received, secret, at - FRESH_MS - 15_000)).toEqual(NEITHER);
  }
  // The same message, signed anew.
  expect(again.body).toBe(first.body);
  expect(again.headers["webhook-id"]).toBe(first.headers["webhook-id"] ?? "");
  expect(again.headers["webhook-signature"]).not.toBe(first.headers["webhook-signature"] ?? "");
});

test("neither takes what was changed on its way, or is signed with another secret", async () => {
  const { secret, first, firstAt, again } = await deliveredTwice();
  const { body, headers } = first;
  const taken = (change: Partial<Received>, by = secret) =>
    takenBy({ ...first, ...change }, by, firstAt);
  expect(taken({})).toEqual(BOTH);
  expect(taken({ body: body.replace("café", "cafe") })).toEqual(NEITHER);
  expect(taken({ body: `${body} ` })).toEqual(NEITHER);
  expect(taken({}, OTHER_SECRET)).toEqual(NEITHER);
  // A signature is good for its own instant and event, and for no other.
  const { "webhook-timestamp": laterTime = "" } = again.headers;
  const later = (headers["x-service-signature"] ?? "").replace(/t=\d+/, `t=${laterTime}`);
  const moved = { "webhook-timestamp": laterTime, "x-service-signature": later };
  expect(taken({ headers: { ...headers, ...moved } })).toEqual(NEITHER);
  expect(taken({ headers: { ...headers, "webhook-id": "evt_other" } }).library).toBe(false);
});

test("after a rotation the new secret is the only one that either takes", async () => {
  const { id, secret: old, server } = await deliveredTwice();
  const admin = await bench.admin();
  const secret = (await admin.post(`${WEBHOOKS}/${id}/rotate-secret`)).field("secret");
  await bench.happens("d2");
  await bench.atRest();
  const received = server.received.at(-1);
  if (received === undefined) throw new Error("nothing was received");
  expect(takenBy(received, secret, bench.clock.now())).toEqual(BOTH);
  expect(takenBy(received, old, bench.clock.now())).toEqual(NEITHER);
});
