/**
 * A day without a way to the receivers, by the clock, and restarts in it: every delivery arrives when
 * its schedule says so, or ends failed as it is written.
 */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { DELIVERY_WAITS_MS } from "#core/limits.ts";
import {
  type Certificate,
  type Endpoint,
  makeCertificate,
  startEndpoint,
} from "../../webhooks/testing/https-endpoint.ts";
import { createWebhooksBench, type WebhooksBench } from "./testing/webhooks-bench.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The last attempt is so long after the first, with whatever is added to the waits. */
const SCHEDULE_MS = 172 * MINUTE_MS;
/** Nobody listens there. */
const NOWHERE = "127.77.0.1";
const LOOPBACK = "127.0.0.1";

/** One that arrived. */
interface Arrival {
  readonly device: string;
  /** UTC milliseconds. */
  readonly at: number;
}

/** A server, what it has received, and its webhook. */
interface Receiver {
  readonly server: Endpoint;
  readonly books: readonly Arrival[];
  readonly id: string;
}

let certificate: Certificate;
beforeAll(() => {
  certificate = makeCertificate();
});
afterAll(() => certificate.remove());

let bench: WebhooksBench;
let isOut: boolean;
const servers: Endpoint[] = [];
const webhooks = { lookup: () => Promise.resolve([isOut ? NOWHERE : LOOPBACK]) };
/** When each delivery was attempted, by its id. UTC milliseconds. */
let attempts: Map<string, number[]>;
beforeEach(async () => {
  isOut = false;
  attempts = new Map();
  bench = await createWebhooksBench({ certificate, webhooks });
});
afterEach(async () => {
  await bench.close();
  for (const server of servers.splice(0)) await server.stop();
});

async function receiver(...events: readonly string[]): Promise<Receiver> {
  const books: Arrival[] = [];
  const server = await startEndpoint(certificate, (response, { body }) => {
    books.push({ device: JSON.parse(body).data.device.id, at: bench.clock.now() });
    response.writeHead(204).end();
  });
  servers.push(server);
  const { id } = await bench.subscribe(server, ...events);
  return { server, books, id };
}

/** The gateway ends, and another one goes on with its database. */
async function restart(): Promise<void> {
  await bench.keepTime();
  await bench.close({ keep: true });
  bench = await createWebhooksBench({ certificate, webhooks, after: bench });
  await bench.goOn();
  await bench.atRest();
}

/** Lets time pass, and each attempt be made in it when it is due. @param to UTC milliseconds */
async function passTo(to: number): Promise<void> {
  await bench.atRest();
  noteAttempts();
  for (;;) {
    const at = Math.min(to, bench.nextDueAt() ?? to);
    bench.clock.advance(at - bench.clock.now());
    await bench.atRest();
    noteAttempts();
    if (at === to) return;
  }
}

function noteAttempts(): void {
  const rows = bench.database.sqlite
    .prepare<[], { id: string; attempt: number; at: number }>(
      "SELECT id, attempt, attempted_at AS at FROM webhook_deliveries WHERE attempt > 0",
    )
    .all();
  for (const { id, attempt, at } of rows) {
    const known = attempts.get(id) ?? [];
    if (attempt > known.length) attempts.set(id, [...known, at]);
  }
}

/** Every delivery had its attempts when the schedule says, and as many as it tells of. */
async function expectOnSchedule(webhookId: string): Promise<void> {
  for (const { id, attempt, createdAt } of await bench.deliveries(webhookId)) {
    const times = attempts.get(id) ?? [];
    expect([times.length, times[0]]).toEqual([attempt, Date.parse(createdAt)]);
    for (const [index, at] of times.slice(1).entries()) {
      const wait = DELIVERY_WAITS_MS[index] ?? 0;
      const waited = at - (times[index] ?? 0);
      expect(waited).toBeGreaterThanOrEqual(wait);
      expect(waited).toBeLessThanOrEqual(wait * 1.1);
    }
  }
}

/** Device, status, attempts and error of each delivery, in the order of the events. */
async function told(webhookId: string) {
  const deliveries = (await bench.deliveries(webhookId)).toReversed();
  return deliveries.map(({ payload, status, attempt, error }) => {
    return [payload.data.device?.id, status, attempt, error?.replace(/:.*/, "") ?? null];
  });
}

const REFUSED = "Nobody listens at the endpoint's address and port";

/** In the day a device comes every even hour, and one goes every odd hour. */
const nameOf = (hour: number) => `${hour % 2 === 0 ? "came" : "went"} ${hour}`;
const LOST = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20];
/** What has an attempt left when the receivers are back, and which; the first of them first. */
const ARRIVED = [
  ["came after", 1],
  ["came 30 s before", 2],
  ["came 120 s before", 3],
  ["came 1800 s before", 4],
  ["came 22", 5],
] as const;

/** Nobody is reached in it, and the gateway starts anew every five hours: that changes nothing. */
async function dayWithoutLine(): Promise<void> {
  const begin = bench.clock.now();
  isOut = true;
  for (let hour = 0; hour < 24; hour += 1) {
    await passTo(begin + hour * HOUR_MS);
    if (hour % 5 === 4) await restart();
    if (hour % 2 === 0) await bench.happens(nameOf(hour));
    else await bench.leave(nameOf(hour));
  }
  for (const early of [30 * MINUTE_MS, 2 * MINUTE_MS, 30 * SECOND_MS]) {
    await passTo(begin + DAY_MS - early);
    await bench.happens(`came ${early / SECOND_MS} s before`);
  }
  await passTo(begin + DAY_MS);
  isOut = false;
  await bench.happens("came after");
  await passTo(begin + DAY_MS + SCHEDULE_MS);
}

/** What has an attempt left arrives by it; the rest was tried five times. */
async function expectDue({ id, books }: Receiver): Promise<void> {
  expect(await told(id)).toEqual([
    ...LOST.map((hour) => [nameOf(hour), "failed", 5, REFUSED]),
    ...ARRIVED.toReversed().map(([device, attempt]) => [device, "success", attempt, null]),
  ]);
  await expectOnSchedule(id);
  // Once each, when it was due: by the waits, the latest event is there first.
  expect(books.map(({ device }) => device)).toEqual(ARRIVED.map(([device]) => device));
  const successes = await bench.deliveries(id, "?status=success");
  expect(books.map(({ at }) => new Date(at).toISOString())).toEqual(
    successes.map(({ attemptedAt }) => attemptedAt ?? ""),
  );
  expect(await bench.webhook(id)).toMatchObject({
    webhook: { enabled: true, failureCount: 0, lastDeliveryStatus: "success" },
  });
}

/** The twentieth failure in a row has disabled the webhook; nothing is made up for. */
async function expectDisabled({ id, books }: Receiver): Promise<void> {
  const deliveries = await told(id);
  const attemptsOfLast = deliveries.at(-1)?.[2];
  expect(deliveries).toEqual([
    ...Array.from({ length: 20 }, (_, hour) => [nameOf(hour), "failed", 5, REFUSED]),
    // These waited when the twentieth had failed, 2 h 36 min to 2 h 52 min after its event.
    [nameOf(20), "failed", 4, "Not sent"],
    [nameOf(21), "failed", attemptsOfLast, "Not sent"],
  ]);
  expect([3, 4]).toContain(Number(attemptsOfLast));
  await expectOnSchedule(id);
  expect(books).toEqual([]);
  expect(await bench.webhook(id)).toMatchObject({
    webhook: { enabled: false, failureCount: 20, lastDeliveryStatus: "failed" },
  });
}

test("after a day's outage every delivery has arrived, or ended failed as written", async () => {
  const some = await receiver("device.online");
  const all = await receiver("device.online", "device.offline");
  await dayWithoutLine();
  await expectDue(some);
  await expectDisabled(all);
  await bench.change(all.id, { enabled: true });
  await bench.leave("went again");
  await bench.atRest();
  expect(all.books.map(({ device }) => device)).toEqual(["went again"]);
});
