// SPDX-License-Identifier: Apache-2.0
/**
 * Takes what a webhook delivers, once each. README.md beside this file says how to run it.
 * Bun, or Node.js 22.18 or later, and nothing else.
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

const { FISCALD_WEBHOOK_SECRET: secret = "", PORT = "8090" } = process.env;
const STALE_SECONDS = 300; // what was signed longer ago may be somebody's recording
const BODY_BYTES_MAX = 8_000_000;
const IDS_MAX = 10_000;

if (!/^whsec_\S+$/.test(secret)) {
  console.error("Set FISCALD_WEBHOOK_SECRET to the secret shown when the webhook was subscribed.");
  process.exit(2);
}
const key = Buffer.from(secret.slice("whsec_".length), "base64");

/** Ids of the last events. A shop keeps them in its database, in the transaction of what it does. */
const seen = new Set<string>();

/** True for what the gateway has signed with our secret, just now. */
function isFromGateway(headers: IncomingMessage["headers"], body: Buffer): boolean {
  const [id, at, given] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    String(headers[name] ?? ""),
  ) as [string, string, string];
  const age = Math.abs(Date.now() / 1_000 - Number(at));
  if (!/^\d+$/.test(at) || age > STALE_SECONDS) return false;
  const ours = createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest();
  // One header may hold several signatures.
  return given.split(" ").some((one) => {
    const theirs = Buffer.from(one.startsWith("v1,") ? one.slice("v1,".length) : "", "base64");
    return theirs.length === ours.length && timingSafeEqual(theirs, ours);
  });
}

/** The body as it arrived; undefined when it is longer than any event. */
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

/** What the sender is answered. */
async function take(request: IncomingMessage): Promise<number> {
  if (request.method !== "POST") return 405;
  const body = await bodyOf(request);
  if (body === undefined) return 413;
  if (!isFromGateway(request.headers, body)) return 401;
  const { id, type } = JSON.parse(body.toString()) as Record<string, unknown>;
  if (typeof id !== "string" || typeof type !== "string") return 500;
  if (seen.has(id)) return 204;
  console.log(`${type} ${id}`); // your work stands here; answer with 5xx and it comes again
  seen.add(id);
  for (const oldest of seen) {
    if (seen.size <= IDS_MAX) break;
    seen.delete(oldest);
  }
  return 204;
}

const server = createServer((request, response) => {
  take(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(500).end(),
  );
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`listening on port ${PORT}`));
