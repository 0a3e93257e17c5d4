/** From an event to the webhooks that want it: when, how often, and what becomes of it. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DELIVERIES_KEPT_MS } from "#core/limits.ts";
import { until } from "../../e2e/harness/until.ts";
import { rejection } from "../../platform/testing/rejection.ts";
import { signatureHeaders } from "../../webhooks/signature.ts";
import {
  type Certificate,
  type Endpoint,
  makeCertificate,
  type Received,
  startEndpoint,
} from "../../webhooks/testing/https-endpoint.ts";
import { createWebhooksBench, WEBHOOKS, type WebhooksBench } from "./testing/webhooks-bench.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let certificate: Certificate;
beforeAll(() => {
  certificate = makeCertificate();
});
afterAll(() => certificate.remove());

let bench: WebhooksBench;
/** What the endpoint answers; changed while it runs. */
let status: number;
beforeEach(async () => {
  status = 204;
  bench = await createWebhooksBench({ certificate });
});
afterEach(() => bench.close());

async function remove(id: string): Promise<void> {
  const { status: code, text } = await (await bench.admin()).delete(`${WEBHOOKS}/${id}`);
  if (code !== 204) throw new Error(`not removed: ${text}`);
}
const endpoint = () => bench.endpoint((response) => response.writeHead(status).end());
const devicesOf = (server: Endpoint) => server.received.map(deviceIn);
function deviceIn({ body }: Received): string {
  return JSON.parse(body).data.device.id;
}

/** Lets time pass up to the next attempt of the latest delivery. @returns how long that was */
async function toNextAttempt(webhookId: string): Promise<number> {
  const [delivery] = await bench.deliveries(webhookId);
  const ms = Date.parse(delivery?.nextAttemptAt ?? "") - bench.clock.now();
  bench.clock.advance(ms);
  await bench.atRest();
  return ms;
}
/** Until nothing waits any more. @returns how long each attempt was waited for */
async function toTheEnd(webhookId: string): Promise<number[]> {
  const waits: number[] = [];
  while ((await bench.deliveries(webhookId, "?status=pending")).length > 0) {
    waits.push(await toNextAttempt(webhookId));
  }
  return waits;
}

describe("an event", () => {
  test("goes to each enabled webhook of its organization that wants it, and to no other", async () => {
    const [wanting, also, other, off, strange] = await Promise.all([1, 2, 3, 4, 5].map(endpoint));
    if (!wanting || !also || !other || !off || !strange) throw new Error("no servers");
    const first = await bench.subscribe(wanting, "device.online", "report.generated");
    const second = await bench.subscribe(also);
    await bench.subscribe(other, "device.offline");
    await bench.change((await bench.subscribe(off)).id, { enabled: false });
    const stranger = await bench.owner("other@example.com");
    const url = `https://hooks.test:${strange.port}/in`;
    await stranger.client.post(WEBHOOKS, { url, events: ["device.online"] });
    await bench.happens("d1");
    await bench.atRest();
    expect([wanting, also, other, off, strange].map(devicesOf)).toEqual([
      ["d1"],
      ["d1"],
      [],
      [],
      [],
    ]);
    const [delivery] = await bench.deliveries(first.id);
    expect(delivery).toMatchObject({
      ...{ id: expect.stringMatching(/^dlv_/), status: "success", attempt: 1, httpStatus: 204 },
      ...{ error: null, nextAttemptAt: null, attemptedAt: "2026-01-15T10:00:00.000Z" },
    });
    expect(delivery?.payload).toEqual(JSON.parse(wanting.received[0]?.body ?? ""));
    expect((await bench.deliveries(second.id))[0]?.payload).toEqual(delivery?.payload as never);
    expect(await bench.webhook(first.id)).toMatchObject({
      webhook: {
        ...{ failureCount: 0, lastDeliveryStatus: "success" },
        lastDeliveryAt: "2026-01-15T10:00:00.000Z",
      },
    });
  });

  test("goes by the subscriptions that there were when it happened", async () => {
    const server = await endpoint();
    await bench.happens("before");
    const { id } = await bench.subscribe(server);
    await bench.happens("during");
    await bench.change(id, { events: ["device.offline"] });
    await bench.happens("not wanted");
    await bench.change(id, { events: ["device.online"] });
    await bench.happens("again");
    await bench.atRest();
    expect(devicesOf(server).toSorted()).toEqual(["again", "during"]);
  });

  test("leaves nothing behind where nobody subscribes", async () => {
    await bench.happens("d1", "d2");
    const rows = bench.database.sqlite
      .prepare("SELECT name FROM appliance_values WHERE name LIKE 'webhooks%'")
      .all();
    expect(rows).toEqual([]);
    const server = await endpoint();
    await bench.subscribe(server);
    await bench.happens("d3");
    await bench.atRest();
    expect(devicesOf(server)).toEqual(["d3"]);
  });

  test("is found behind any number that nobody wants, at a place that moves with them", async () => {
    const server = await endpoint();
    await bench.subscribe(server, "device.offline");
    const cursor = () => Number(bench.stores.appliance.find("webhooks.cursor"));
    const before = cursor();
    await bench.happens(...Array.from({ length: 450 }, (_, index) => `d${index}`));
    await until("the cursor", () => cursor() - before >= 400);
    await bench.subscribe(server);
    await bench.happens("last");
    await bench.atRest();
    expect(devicesOf(server)).toEqual(["last"]);
  });

  test("goes out where a repair has lost those before it, whose numbers come again", async () => {
    const server = await startEndpoint(certificate);
    try {
      await bench.subscribe(server);
      await bench.happens("lost", "lost too");
      await bench.atRest();
      await bench.close({ keep: true });
      bench.database.sqlite.exec("DELETE FROM events");
      bench = await createWebhooksBench({ certificate, after: bench });
      await bench.goOn();
      await bench.happens("new");
      await until("the new event", () => server.received.length === 3);
      expect(devicesOf(server).toSorted()).toEqual(["lost", "lost too", "new"]);
    } finally {
      await server.stop();
    }
  });

  test("is one delivery for each of a hundred webhooks, of which 64 are attempted at once", async () => {
    const server = await bench.endpoint(() => undefined);
    await bench.subscribeMore((await bench.subscribe(server)).id, 99);
    await bench.happens("d1", "d2", "d3");
    await until("connections", () => server.connections() === 64);
    const made = bench.database.sqlite
      .prepare("SELECT count(*), count(DISTINCT webhook_id || payload) FROM webhook_deliveries")
      .raw();
    await until("deliveries", () => String(made.get()).startsWith("300,"));
    expect<unknown>(made.get()).toEqual([300, 300]);
    expect(server.connections()).toBe(64);
  });
});

describe("a delivery that fails", () => {
  test("is tried again after 60 s, 5 min, 30 min and 2 h, a tenth later at most", async () => {
    const server = await endpoint();
    status = 500;
    const { id } = await bench.subscribe(server);
    await bench.happens("d1");
    await bench.atRest();
    const bodies = new Set<string>();
    for (const [made, wait] of [60, 300, 1_800, 7_200].entries()) {
      const [delivery] = await bench.deliveries(id);
      expect(delivery).toMatchObject({
        ...{ status: "pending", attempt: made + 1, httpStatus: 500 },
        ...{ error: "The endpoint answered 500", failure: "answered" },
      });
      const ms = Date.parse(delivery?.nextAttemptAt ?? "") - bench.clock.now();
      expect(ms).toBeGreaterThanOrEqual(wait * 1_000);
      expect(ms).toBeLessThanOrEqual(wait * 1_100);
      await bench.clock.advanceAsync(ms - 1);
      expect(server.received).toHaveLength(made + 1);
      bench.clock.advance(1);
      await bench.atRest();
      expect(server.received).toHaveLength(made + 2);
    }
    for (const { body } of server.received) bodies.add(body);
    expect(bodies.size).toBe(1);
    const [failed] = await bench.deliveries(id);
    expect(failed).toMatchObject({ status: "failed", attempt: 5, nextAttemptAt: null });
    expect(failed?.attempts).toMatchObject(
      [1, 2, 3, 4, 5].map((number) => ({ number, httpStatus: 500, failure: "answered" })),
    );
    const times = failed?.attempts.map(({ attemptedAt }) => attemptedAt) ?? [];
    expect(times.at(-1)).toBe(failed?.attemptedAt ?? "");
    expect(times).toEqual([...new Set(times)].toSorted());
    expect(await bench.webhook(id)).toMatchObject({
      webhook: { enabled: true, failureCount: 1, lastDeliveryStatus: "failed" },
    });
    await bench.clock.advanceAsync(DAY_MS);
    expect(server.received).toHaveLength(5);
  });

  test("is tried a sixth time 12 h later where the settings say so", async () => {
    await bench.close();
    bench = await createWebhooksBench({ certificate, webhooks: { maxAttempts: 6 } });
    status = 500;
    const { id } = await bench.subscribe(await endpoint());
    await bench.happens("d1");
    await bench.atRest();
    const waits = await toTheEnd(id);
    expect(waits.map((ms) => Math.floor(ms / MINUTE_MS))).toEqual([
      ...[1, 5, expect.any(Number), expect.any(Number), expect.any(Number)],
    ]);
    expect(waits[4]).toBeGreaterThanOrEqual(12 * HOUR_MS);
    expect(waits[4]).toBeLessThanOrEqual(13.2 * HOUR_MS);
    expect(await bench.deliveries(id)).toMatchObject([{ status: "failed", attempt: 6 }]);
  });

  test("that then arrives is a success, and sets the count to 0", async () => {
    status = 503;
    const { id } = await bench.subscribe(await endpoint());
    await bench.writer.run(() =>
      bench.stores.webhooks.update(bench.orgId, id, { failureCount: 19 }),
    );
    await bench.happens("d1");
    await bench.atRest();
    status = 200;
    await toNextAttempt(id);
    expect(await bench.deliveries(id)).toMatchObject([
      {
        ...{ status: "success", attempt: 2, httpStatus: 200, error: null, nextAttemptAt: null },
        attempts: [
          { number: 1, httpStatus: 503, failure: "answered" },
          { number: 2, httpStatus: 200, error: null, failure: null },
        ],
      },
    ]);
    expect(await bench.webhook(id)).toMatchObject({
      webhook: { failureCount: 0, lastDeliveryStatus: "success" },
    });
  });

  test("is signed anew each time, by the secret and for the address of now", async () => {
    const [old, server] = [await endpoint(), await endpoint()];
    status = 500;
    const { id } = await bench.subscribe(old);
    await bench.happens("d1");
    await bench.atRest();
    const admin = await bench.admin();
    const secret = (await admin.post(`${WEBHOOKS}/${id}/rotate-secret`)).field("secret");
    await bench.change(id, { url: `https://hooks.test:${server.port}/in` });
    status = 204;
    await toNextAttempt(id);
    expect([old.received.length, server.received.length]).toEqual([1, 1]);
    const [received] = server.received;
    if (received === undefined) throw new Error("nothing was received");
    const { headers, body } = received;
    expect(headers["webhook-timestamp"]).toBe(String(Math.floor(bench.clock.now() / 1_000)));
    const eventId = headers["webhook-id"] ?? "";
    const at = bench.clock.now();
    expect(headers).toMatchObject(signatureHeaders({ secret, id: eventId, at, body }));
  });
});

describe("20 deliveries that fail in a row", () => {
  const lose = async (id: string, failureCount: number): Promise<void> => {
    await bench.writer.run(() => bench.stores.webhooks.update(bench.orgId, id, { failureCount }));
  };

  test("disable the webhook; what waits ends failed, and is not made up for", async () => {
    const server = await endpoint();
    status = 410;
    const { id } = await bench.subscribe(server);
    await lose(id, 18);
    await bench.happens("d1", "d2");
    await bench.atRest();
    for (let attempt = 2; attempt <= 4; attempt += 1) {
      bench.clock.advance(2 * HOUR_MS);
      await bench.atRest();
    }
    await bench.waitingMore(id, 250);
    bench.clock.advance(2.2 * HOUR_MS);
    await until(
      "the end",
      async () => (await bench.deliveries(id, "?status=pending")).length === 0,
    );
    expect(await bench.webhook(id)).toMatchObject({
      webhook: { enabled: false, failureCount: 20, lastDeliveryStatus: "failed" },
    });
    const ended = bench.database.sqlite
      .prepare(
        "SELECT status, error LIKE 'Not sent: %' AS unsent, count(*) AS n FROM webhook_deliveries GROUP BY 1, 2",
      )
      .all();
    expect(ended).toEqual([
      { status: "failed", unsent: 0, n: 2 },
      { status: "failed", unsent: 1, n: 250 },
    ]);
    expect(bench.stores.audit.list(bench.orgId, 1)).toMatchObject([
      { action: "webhook.disabled", actor: "gateway", resource: id },
    ]);
    const sent = server.received.length;
    status = 204;
    await bench.happens("unheard");
    await bench.change(id, { enabled: true });
    expect(await bench.webhook(id)).toMatchObject({ webhook: { enabled: true, failureCount: 0 } });
    await bench.happens("heard");
    await bench.atRest();
    expect(devicesOf(server).slice(sent)).toEqual(["heard"]);
  });

  test("are 20: the 19th leaves it enabled", async () => {
    status = 500;
    const { id } = await bench.subscribe(await endpoint());
    await lose(id, 18);
    await bench.happens("d1");
    await bench.atRest();
    await toTheEnd(id);
    expect(await bench.webhook(id)).toMatchObject({ webhook: { enabled: true, failureCount: 19 } });
  });
});

describe("a person who", () => {
  test("disables a webhook ends what waits for it, but for what is on its way", async () => {
    const answered = Promise.withResolvers<void>();
    const server = await bench.endpoint(async (response) => {
      await answered.promise;
      response.writeHead(204).end();
    });
    const { id } = await bench.subscribe(server);
    await bench.happens("d1", "d2", "d3");
    await until("the first", () => server.received.length === 1);
    await bench.change(id, { enabled: false });
    const [third, second, first] = await bench.deliveries(id);
    expect([third, second]).toMatchObject(
      Array(2).fill({
        ...{ status: "failed", attempt: 0, httpStatus: null, attemptedAt: null },
        error: "Not sent: the webhook was disabled",
      }),
    );
    expect(first).toMatchObject({ status: "pending" });
    const lastDeliveryAt = new Date(bench.clock.now()).toISOString();
    expect(await bench.webhook(id)).toMatchObject({
      webhook: { lastDeliveryStatus: "failed", lastDeliveryAt, failureCount: 0 },
    });
    answered.resolve();
    await bench.atRest();
    expect((await bench.deliveries(id))[2]).toMatchObject({ status: "success", attempt: 1 });
    expect(await bench.webhook(id)).toMatchObject({ webhook: { lastDeliveryStatus: "success" } });
    await bench.change(id, { enabled: true });
    await bench.happens("d4");
    await bench.atRest();
    expect(devicesOf(server)).toEqual(["d1", "d4"]);
  });

  test.each([
    ["disables", (id: string) => bench.change(id, { enabled: false }), 3],
    ["removes", (id: string) => remove(id), 0],
  ] as const)(
    "%s a webhook leaves nothing waiting, though the disk was full for a moment",
    async (_, act, left) => {
      status = 500;
      const { id } = await bench.subscribe(await endpoint());
      await bench.happens("d1", "d2", "d3");
      await bench.atRest();
      const { sqlite } = bench.database;
      for (const change of ["UPDATE", "DELETE"]) {
        const when = change === "UPDATE" ? "WHEN new.error LIKE 'Not sent%'" : "";
        sqlite.exec(
          `CREATE TEMP TRIGGER full_${change} BEFORE ${change} ON webhook_deliveries ${when} BEGIN SELECT RAISE(ABORT, 'full'); END`,
        );
      }
      await rejection(act(id));
      for (const change of ["UPDATE", "DELETE"]) sqlite.exec(`DROP TRIGGER full_${change}`);
      bench.clock.advance(HOUR_MS);
      await bench.atRest();
      const rows = sqlite.prepare("SELECT status, error FROM webhook_deliveries").all();
      expect(rows).toEqual(
        Array(left).fill({ status: "failed", error: "Not sent: the webhook was disabled" }),
      );
    },
  );

  test("disables a webhook makes the attempt on its way the last one", async () => {
    const answered = Promise.withResolvers<void>();
    const server = await bench.endpoint(async (response) => {
      await answered.promise;
      response.writeHead(500).end();
    });
    const { id } = await bench.subscribe(server);
    await bench.happens("d1");
    await until("the first", () => server.received.length === 1);
    await bench.change(id, { enabled: false });
    answered.resolve();
    await bench.atRest();
    expect(await bench.deliveries(id)).toMatchObject([
      { status: "failed", attempt: 1, httpStatus: 500, error: "The endpoint answered 500" },
    ]);
  });

  test("removes a webhook removes what waits for it", async () => {
    const answered = Promise.withResolvers<void>();
    const server = await bench.endpoint(async (response) => {
      await answered.promise;
      response.writeHead(204).end();
    });
    const { id } = await bench.subscribe(server);
    await bench.happens("d1", "d2");
    await until("the first", () => server.received.length === 1);
    expect((await (await bench.admin()).delete(`${WEBHOOKS}/${id}`)).status).toBe(204);
    answered.resolve();
    await bench.happens("d3");
    await bench.atRest();
    await bench.writer.run(() => undefined);
    expect(server.received).toHaveLength(1);
    expect(bench.database.sqlite.prepare("SELECT * FROM webhook_deliveries").all()).toEqual([]);
  });
});

test("one delivery at a time goes to a webhook, and none waits for another webhook's", async () => {
  let open = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const slow = await bench.endpoint(async (response) => {
    most = Math.max(most, ++open);
    await new Promise<void>((resolve) => waiting.push(resolve));
    open -= 1;
    response.writeHead(204).end();
  });
  const quick = await endpoint();
  await bench.subscribe(slow);
  const { id } = await bench.subscribe(quick);
  await bench.happens("d1", "d2", "d3");
  await until(
    "the quick one",
    async () => (await bench.deliveries(id, "?status=success")).length === 3,
  );
  expect(slow.received).toHaveLength(1);
  for (let answered = 1; answered <= 3; answered += 1) {
    await until("its turn", () => waiting.length > 0);
    waiting.shift()?.();
  }
  await bench.atRest();
  expect([slow.received.length, most]).toEqual([3, 1]);
});

test("endpoints that took long leave room for others, also when nothing has waited for them", async () => {
  const held: (() => void)[] = [];
  const slow = await bench.endpoint((response) => {
    held.push(() => response.writeHead(204).end());
  });
  const quick = await endpoint();
  const { id } = await bench.subscribe(slow);
  await bench.subscribeMore(id, 63);
  await bench.happens("d1");
  await until("all of them", () => held.length === 64);
  bench.clock.advance(9_000);
  for (const release of held.splice(0)) release();
  await bench.atRest();
  await bench.subscribe(quick);
  await bench.happens("d2");
  await until("as many as may be", () => held.length >= 16);
  await until("the quick one", () => quick.received.length === 1);
  expect(held).toHaveLength(16);
  while (slow.received.length < 128 || held.length > 0) {
    await until("the next of them", () => held.length > 0);
    for (const release of held.splice(0)) release();
  }
  await bench.atRest();
});

describe("the clock", () => {
  test("set forward makes nothing due, and set back holds nothing up", async () => {
    const server = await endpoint();
    status = 500;
    const { id } = await bench.subscribe(server);
    await bench.happens("d1");
    await bench.atRest();
    bench.clock.jumpTo(bench.clock.now() + 3 * DAY_MS);
    await bench.happens("d2");
    await until("the new one's first attempt", async () => {
      const deliveries = await bench.deliveries(id);
      return deliveries.length === 2 && deliveries.every(({ attempt }) => attempt === 1);
    });
    await bench.clock.advanceAsync(59_999);
    expect(devicesOf(server)).toEqual(["d1", "d2"]);
    bench.clock.jumpTo(bench.clock.now() - 30 * DAY_MS);
    bench.clock.advance(6_001);
    await until("both", () => server.received.length === 4);
    expect(devicesOf(server).toSorted()).toEqual(["d1", "d1", "d2", "d2"]);
  });
});

test("deliveries are kept for 30 days, but for those that wait", async () => {
  status = 500;
  const { id } = await bench.subscribe(await endpoint());
  await bench.happens("d1");
  await bench.atRest();
  const until = bench.clock.now() + 2 * DELIVERIES_KEPT_MS;
  const later = { until, now: until };
  expect(bench.stores.webhookDeliveries.purge(later)).toBe(false);
  expect(await bench.deliveries(id)).toHaveLength(1);
  await toTheEnd(id);
  bench.stores.webhookDeliveries.purge(later);
  expect(await bench.deliveries(id)).toEqual([]);
});

describe("a delivery that is replayed", () => {
  const replay = async (webhookId: string, deliveryId: string) =>
    (await bench.admin()).post(`${WEBHOOKS}/${webhookId}/replay`, { deliveryId });

  test("is made once more, at once, whatever became of it, under the same event id", async () => {
    const server = await endpoint();
    const { id } = await bench.subscribe(server);
    status = 500;
    await bench.happens("d1");
    await bench.atRest();
    await toTheEnd(id);
    const [failed] = await bench.deliveries(id);
    expect(failed).toMatchObject({ status: "failed", attempt: 5 });
    status = 204;
    const answer = await replay(id, failed?.id ?? "");
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ delivery: { status: "pending", attempt: 0 } });
    await bench.atRest();
    const [again, before] = await bench.deliveries(id);
    expect(before).toEqual(failed as never);
    expect(again).toMatchObject({ status: "success", attempt: 1, payload: failed?.payload });
    expect(again?.id).not.toBe(failed?.id);
    const ids = server.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(6);
    // It counts as any other: a success ends the row of failures.
    expect(await bench.webhook(id)).toMatchObject({ webhook: { failureCount: 0 } });
  });

  test("is attempted at once, and not made a second time, while it still waits", async () => {
    const server = await endpoint();
    const { id } = await bench.subscribe(server);
    status = 500;
    await bench.happens("d1");
    await bench.atRest();
    const [waiting] = await bench.deliveries(id);
    expect(waiting).toMatchObject({ status: "pending", attempt: 1 });
    status = 204;
    const answer = await replay(id, waiting?.id ?? "");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ delivery: { id: waiting?.id, status: "pending" } });
    await bench.atRest();
    expect(await bench.deliveries(id)).toMatchObject([
      { id: waiting?.id, status: "success", attempt: 2 },
    ]);
    expect(server.received).toHaveLength(2);
  });

  test("is one of that webhook, which is enabled, and no test", async () => {
    const server = await endpoint();
    const { id } = await bench.subscribe(server);
    const other = await bench.subscribe(server);
    await bench.happens("d1");
    await bench.atRest();
    const [delivery] = await bench.deliveries(id);
    const mine = delivery?.id ?? "";
    expect((await replay(other.id, mine)).refusal).toBe("400 VALIDATION_ERROR");
    expect((await replay("whk_none", mine)).refusal).toBe("404 NOT_FOUND");
    const tested = await (await bench.admin()).post(`${WEBHOOKS}/${id}/test`);
    const test = (tested.body as { delivery: { id: string } }).delivery.id;
    expect((await replay(id, test)).refusal).toBe("409 CONFLICT");
    await bench.change(id, { enabled: false });
    expect((await replay(id, mine)).refusal).toBe("409 CONFLICT");
    const made = server.received.length;
    await bench.atRest();
    expect(server.received).toHaveLength(made);
  });
});
