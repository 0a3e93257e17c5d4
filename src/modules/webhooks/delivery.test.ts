/** One delivery, on its way to a real server: what arrives there, and what does not. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { until } from "../../e2e/harness/until.ts";
import type { ApiClient } from "../../http/testing/api-client.ts";
import {
  type Certificate,
  ENDPOINT_NAME,
  type Endpoint,
  makeCertificate,
  type Received,
  startEndpoint,
} from "../../webhooks/testing/https-endpoint.ts";
import { roundTrip } from "../../webhooks/testing/round-trip.ts";
import { type ApiBench, type BenchOptions, createApiBench } from "../testing/api-bench.ts";

const WEBHOOKS = "/api/v1/org/webhooks";
const LOOPBACK = "127.0.0.1";

let certificate: Certificate;
beforeAll(() => {
  certificate = makeCertificate();
});
afterAll(() => certificate.remove());

let bench: ApiBench;
let endpoint: Endpoint;
let owner: ApiClient;
let orgId: string;
afterEach(async () => {
  bench.close();
  await endpoint.stop();
});

const Created = Type.Object({ webhook: Type.Object({ id: Type.String(), secret: Type.String() }) });

/** A server, and a webhook of a shop that leads there. */
async function open(
  webhooks: BenchOptions["webhooks"] & { readonly path?: string; readonly host?: string } = {},
  answer?: Parameters<typeof startEndpoint>[1],
) {
  endpoint = await startEndpoint(certificate, answer);
  const { path = "/in", host = ENDPOINT_NAME, ...more } = webhooks;
  bench = createApiBench({
    registration: "open",
    webhooks: {
      ...{ allowLoopback: true, caFile: certificate.caFile },
      lookup: () => Promise.resolve([LOOPBACK]),
      ...more,
    },
  });
  ({ client: owner, orgId } = await bench.owner());
  const url = `https://${host}:${endpoint.port}${path}`;
  const created = await owner.post(WEBHOOKS, { url, events: ["device.online"] });
  return created.as(Created).webhook;
}

const at = (id: string, suffix = "") => `${WEBHOOKS}/${id}${suffix}`;
/** Tries the webhook. @returns the delivery */
async function tried(id: string): Promise<Record<string, unknown>> {
  const answer = await owner.post(at(id, "/test"));
  expect(answer.status).toBe(200);
  return answer.as(Type.Object({ delivery: Type.Record(Type.String(), Type.Unknown()) })).delivery;
}
const failure = (error: unknown, more: object = {}) => ({
  ...{ status: "failed", httpStatus: null, responseBody: null, ...more },
  error,
});
const webhookOf = async (id: string) => (await owner.get(at(id))).body;

describe("a test delivery that arrives", () => {
  test("is a signed POST of the event, to that webhook alone, and is kept", async () => {
    const { id, secret } = await open({ path: "/in?till=1" }, (response) => {
      response.writeHead(200, { "content-type": "text/plain" }).end("taken\0 — thanks");
    });
    const url = `https://${ENDPOINT_NAME}:${endpoint.port}/other`;
    await owner.post(WEBHOOKS, { url, events: ["device.online"] });
    const delivery = await tried(id);
    const [received] = endpoint.received;
    const { method, path, headers, body, serverName } = received ?? nothing();
    expect([endpoint.received.length, method, path, serverName]).toEqual([
      ...[1, "POST", "/in?till=1", ENDPOINT_NAME],
    ]);
    expect(headers).toMatchObject({
      ...{ host: `${ENDPOINT_NAME}:${endpoint.port}`, "content-type": "application/json" },
      ...{ "user-agent": expect.stringMatching(/^fiscald\/\d/) },
    });
    const envelope: unknown = JSON.parse(body);
    expect(envelope).toEqual({
      id: expect.stringMatching(/^evt_/),
      ...{ type: "webhook.test", createdAt: "2026-01-15T10:00:00.000Z", orgId },
      data: { test: true, message: expect.any(String) },
    });
    const seconds = String(bench.clock.now() / 1_000);
    const mac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);
    const eventId = headers["webhook-id"] ?? "";
    expect(envelope).toMatchObject({ id: eventId });
    const own = mac(secret, `${seconds}.${body}`).digest("hex");
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    expect(key).toHaveLength(32);
    const standard = mac(key, `${eventId}.${seconds}.${body}`).digest("base64");
    expect(headers).toMatchObject({
      "x-service-signature": `t=${seconds},v1=${own}`,
      "webhook-timestamp": seconds,
      "webhook-signature": `v1,${standard}`,
    });
    expect(delivery).toEqual({
      id: expect.stringMatching(/^dlv_/),
      ...{ webhookId: id, orgId, eventType: "webhook.test", payload: envelope },
      ...{ status: "success", attempt: 1, httpStatus: 200, responseBody: "taken — thanks" },
      ...{ error: null, failure: null },
      ...{ createdAt: "2026-01-15T10:00:00.000Z", attemptedAt: "2026-01-15T10:00:00.000Z" },
      attempts: [
        {
          ...{ number: 1, httpStatus: 200, responseBody: "taken — thanks" },
          ...{ error: null, failure: null, attemptedAt: "2026-01-15T10:00:00.000Z" },
        },
      ],
      nextAttemptAt: null,
    });
    expect((await owner.get(at(id, "/deliveries"))).body).toEqual({ deliveries: [delivery] });
    expect(await webhookOf(id)).toMatchObject({
      webhook: { lastDeliveryAt: delivery.attemptedAt, lastDeliveryStatus: "success" },
    });
    expect(JSON.stringify([bench.lines, delivery])).not.toContain("whsec_");
  });

  test("is signed by the new secret alone after a rotation", async () => {
    const { id } = await open();
    const secret = (await owner.post(at(id, "/rotate-secret"))).field("secret");
    await tried(id);
    const { headers, body } = endpoint.received[0] ?? nothing();
    const seconds = headers["webhook-timestamp"];
    const mac = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    expect(headers["x-service-signature"]).toBe(`t=${seconds},v1=${mac}`);
    expect(headers["webhook-signature"]).not.toContain(" ");
  });

  test("may go to an address, of which no name is asked for", async () => {
    const { id } = await open({ host: LOOPBACK });
    expect(await tried(id)).toMatchObject({ status: "success", httpStatus: 204, responseBody: "" });
    expect(endpoint.received).toMatchObject([
      { headers: { host: `${LOOPBACK}:${endpoint.port}` } },
    ]);
    expect(endpoint.received[0]?.serverName || undefined).toBeUndefined();
  });

  test("goes to a disabled webhook too, and changes no count", async () => {
    const { id } = await open({}, (response) => response.writeHead(500).end());
    await bench.writer.run(() =>
      bench.stores.webhooks.update(orgId, id, { enabled: false, failureCount: 20 }),
    );
    expect(await tried(id)).toMatchObject({ status: "failed", httpStatus: 500 });
    expect(await webhookOf(id)).toMatchObject({
      webhook: { enabled: false, failureCount: 20, lastDeliveryStatus: "failed" },
    });
  });

  test("is nothing any more if its webhook was removed meanwhile", async () => {
    const removed = Promise.withResolvers<void>();
    const { id } = await open({}, async (response) => {
      await removed.promise;
      response.writeHead(204).end();
    });
    const pending = owner.post(at(id, "/test"));
    await until("the request", () => endpoint.received.length > 0);
    await owner.delete(at(id));
    removed.resolve();
    expect((await pending).refusal).toBe("404 NOT_FOUND");
    expect(bench.database.sqlite.prepare("SELECT * FROM webhook_deliveries").all()).toEqual([]);
  });
});

describe("an answer", () => {
  test.each([
    [200, "success"],
    [299, "success"],
    [300, "failed"],
    [404, "failed"],
    [503, "failed"],
  ] as const)("of %i is a %s", async (status, outcome) => {
    const { id } = await open({}, (response) => response.writeHead(status).end("why"));
    const error = outcome === "success" ? null : `The endpoint answered ${status}`;
    expect(await tried(id)).toMatchObject({
      ...{ status: outcome, httpStatus: status, responseBody: "why", error },
    });
  });

  test("that leads elsewhere is not followed", async () => {
    const { id } = await open({}, (response, { path }) => {
      if (path === "/in") response.writeHead(307, { location: "/there" }).end();
      else response.writeHead(204).end();
    });
    expect(await tried(id)).toMatchObject({ status: "failed", httpStatus: 307 });
    expect(endpoint.received.map(({ path }) => path)).toEqual(["/in"]);
  });

  test("is kept to 1 KiB, without a character cut in two, though it never ends", async () => {
    const { id } = await open({}, (response) => {
      response.writeHead(200);
      response.write(`x${"é".repeat(2_000)}`);
    });
    expect(await tried(id)).toMatchObject({
      ...{ status: "success", responseBody: `x${"é".repeat(511)}` },
    });
  });

  test("that stops in its middle counts by its status", async () => {
    const { id } = await open({}, (response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half");
      setImmediate(() => response.destroy());
    });
    expect(await tried(id)).toMatchObject({ status: "success", httpStatus: 200 });
  });

  test.each(["half", ""])("whose body goes on too long counts by its status: %p", async (part) => {
    const sent = Promise.withResolvers<void>();
    const { id } = await open({}, (response) => {
      response.writeHead(200, { "content-length": "10" });
      response.flushHeaders();
      response.write(part);
      sent.resolve();
    });
    const pending = tried(id);
    await sent.promise;
    await roundTrip(endpoint);
    bench.clock.advance(10_000);
    expect(await pending).toMatchObject({ status: "success", httpStatus: 200, responseBody: part });
  });

  test("is waited for ten seconds", async () => {
    const { id } = await open({}, () => undefined);
    const pending = tried(id);
    await until("the request", () => endpoint.received.length > 0);
    bench.clock.advance(9_999);
    expect(bench.clock.pendingTimers).toBe(1);
    bench.clock.advance(1);
    expect(bench.clock.pendingTimers).toBe(0);
    expect(await pending).toMatchObject(failure("No answer within 10 s"));
  });
});

describe("nothing is sent", () => {
  const unsent = async (id: string, error: unknown): Promise<void> => {
    expect(await tried(id)).toMatchObject(failure(error));
    expect(endpoint.received).toEqual([]);
  };

  test("to a server whose certificate nobody has vouched for", async () => {
    const { id } = await open({ caFile: "" });
    await unsent(id, expect.stringContaining("certificate"));
  });

  test("to a server whose certificate is for another name", async () => {
    const { id } = await open({ host: "other.test" });
    await unsent(id, expect.stringContaining("other.test"));
  });

  test("where the file of trusted authorities is gone", async () => {
    const { id } = await open({ caFile: "/nonexistent/ca.pem" });
    await unsent(id, expect.stringContaining("/nonexistent/ca.pem"));
    expect(endpoint.connections()).toBe(0);
  });

  test("where nobody listens", async () => {
    const { id } = await open();
    await endpoint.stop();
    expect(await tried(id)).toMatchObject(failure(expect.stringContaining("ECONNREFUSED")));
  });

  test("where the name is not known, or its look-up does not end in time", async () => {
    let answers: () => Promise<readonly string[]> = () => Promise.reject(new Error("no such name"));
    const { id } = await open({ lookup: () => answers() });
    await unsent(id, "no such name");
    answers = () => Promise.resolve([]);
    await unsent(id, "The name has no address");
    answers = () => new Promise(() => undefined);
    const pending = unsent(id, "No answer within 10 s");
    await until("the look-up", () => bench.clock.pendingTimers > 0);
    bench.clock.advance(10_000);
    await pending;
  });
});

describe("a name that leads elsewhere than when it was named", () => {
  const REFUSED = expect.stringMatching(/^Not sent: hooks\.test leads to /);

  test.each([
    ["the machine itself", [LOOPBACK]],
    ["the machine itself among others", ["203.0.113.7", LOOPBACK]],
    ["the machine itself in disguise", ["::ffff:127.0.0.1"]],
    ["a link-local address", ["169.254.169.254"]],
  ])("is not connected to: %s", async (_, later) => {
    let addresses = ["203.0.113.7"];
    const { id } = await open({ allowLoopback: false, lookup: () => Promise.resolve(addresses) });
    addresses = later;
    expect(await tried(id)).toMatchObject(failure(REFUSED));
    expect(endpoint.connections()).toBe(0);
  });

  test("is not connected to: a private network that is switched off", async () => {
    let addresses = ["203.0.113.7"];
    const { id } = await open({ allowPrivate: false, lookup: () => Promise.resolve(addresses) });
    addresses = ["10.0.0.1"];
    expect(await tried(id)).toMatchObject(failure(REFUSED));
  });

  test("is looked up once for each delivery, and connected to where that led", async () => {
    const asked: string[] = [];
    // The name itself leads nowhere: whoever looked it up again would not get there.
    const lookup = (name: string) => {
      asked.push(name);
      return Promise.resolve(asked.length === 2 ? [LOOPBACK] : ["203.0.113.7"]);
    };
    const { id } = await open({ lookup });
    expect(await tried(id)).toMatchObject({ status: "success" });
    expect(asked).toEqual([ENDPOINT_NAME, ENDPOINT_NAME]);
    expect(endpoint.received).toMatchObject([{ serverName: ENDPOINT_NAME }]);
  });

  test("is tried at its next address where the first is not reached", async () => {
    const { id } = await open({ lookup: () => Promise.resolve(["127.77.0.1", LOOPBACK]) });
    expect(await tried(id)).toMatchObject({ status: "success" });
    expect(endpoint.received).toHaveLength(1);
  });

  test("goes out on its own, whatever proxy the surroundings name", async () => {
    const { id } = await open();
    process.env.HTTPS_PROXY = "http://127.0.0.1:9";
    try {
      expect(await tried(id)).toMatchObject({ status: "success" });
    } finally {
      delete process.env.HTTPS_PROXY;
    }
  });
});

function nothing(): Received {
  throw new Error("nothing was received");
}
