/** What webhooks get of every event, beside what the OpenAPI document says of it. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deviceEvent } from "#core/events.ts";
import { WEBHOOK_EVENT_TYPES, WEBHOOK_TEST } from "#core/webhook.ts";
import { until } from "../../e2e/harness/until.ts";
import { schemaFaults } from "../../http/testing/documented-answers.ts";
import { follow } from "../../http/testing/openapi-faults.ts";
import {
  type Certificate,
  type Endpoint,
  makeCertificate,
  type Received,
  startEndpoint,
} from "../../webhooks/testing/https-endpoint.ts";
import { createReportsBench, type ReportsBench } from "../reports/testing/reports-bench.ts";

const TYPES = [...WEBHOOK_EVENT_TYPES, WEBHOOK_TEST];
const FAILED = { success: false, errorCode: "E306", errorMessage: "No paper" } as const;

let certificate: Certificate;
let bench: ReportsBench;
let endpoint: Endpoint;
let document: unknown;
let faultOf: ReturnType<typeof schemaFaults>;

beforeAll(async () => {
  certificate = makeCertificate();
  endpoint = await startEndpoint(certificate);
  bench = await createReportsBench({
    webhooks: { allowLoopback: true, caFile: certificate.caFile },
  });
  document = (await bench.client.get("/api/v1/openapi.json")).body;
  faultOf = schemaFaults(document);
  const url = `https://127.0.0.1:${endpoint.port}/in`;
  const body = { url, events: WEBHOOK_EVENT_TYPES };
  const created = await bench.owner.post("/api/v1/org/webhooks", body);
  const { id } = Object(created.body).webhook;
  await everythingHappens();
  await bench.owner.post(`/api/v1/org/webhooks/${id}/test`);
  await until("every type", () => TYPES.every(isReceived));
});
afterAll(async () => {
  const stopped = bench?.deliveries.stop(0);
  bench?.clock.advance(0);
  await stopped;
  await endpoint?.stop();
  bench?.close();
  certificate?.remove();
});

async function everythingHappens(): Promise<void> {
  await bench.sell();
  await bench.report("z_report");
  await bench.finish(await bench.queued("x_report", {}), FAILED);
  const stored = await bench.owner.post("/api/v1/receipts", {
    ...{ deviceId: bench.deviceId, type: "sale", fiscalId: "77" },
    items: [{ name: "Tea", quantity: 1, price: 1, vatGroup: "VAT2" }],
    payments: [{ method: "card", amount: 1 }],
  });
  if (stored.status !== 201) throw new Error(stored.text);
  await bench.writer.run((tx) => {
    const device = bench.stores.devices.get(bench.orgId, bench.deviceId);
    if (device === undefined) throw new Error("no device");
    tx.emit(deviceEvent("device.online", device, "c1"));
    tx.emit(deviceEvent("device.offline", device, "c1"));
  });
  // An attempt under way would run out of its time with the clock, and come again a minute later.
  await until("what needs no time", () => TYPES.filter(needsNoTime).every(isReceived));
  bench.levers.connected = false;
  await bench.queued();
  await bench.clock.advanceAsync(60_000);
}

const needsNoTime = (type: string): boolean =>
  type !== "command.timeout" && type !== "webhook.test";
const isReceived = (type: string): boolean => receivedOf(type) !== undefined;

function receivedOf(type: string): Received | undefined {
  return endpoint.received.find(({ body }) => JSON.parse(body).type === type);
}
const at = (type: string, ...rest: readonly string[]) =>
  ["#/webhooks", type, "post", ...rest].join("/");

/** Headers of the document, each with its place. */
function headersOf(type: string): (readonly [name: string, schema: string])[] {
  const listed = Object.entries(Object(follow(document, at(type, "parameters"))));
  return listed.map(([index, header]) => {
    return [String(Object(header).name), at(type, "parameters", index, "schema")];
  });
}

test("the document has every message that is sent, and no other", () => {
  expect(Object.keys(Object(follow(document, "#/webhooks"))).toSorted()).toEqual(TYPES.toSorted());
});

describe.each(TYPES)("%s", (type) => {
  test("is what the document says, with the headers that it names", () => {
    const received = receivedOf(type);
    const body = received?.body ?? "{}";
    const headers: Readonly<Record<string, string>> = received?.headers ?? {};
    const content = at(type, "requestBody/content/application~1json/schema");
    expect(faultOf(content, JSON.parse(body))).toBeUndefined();
    const documented = headersOf(type);
    for (const [name, schema] of documented) {
      expect([name, faultOf(schema, headers[name.toLowerCase()])]).toEqual([name, undefined]);
    }
    const own = Object.keys(headers).filter((name) => /^(x-|webhook-)/.test(name));
    expect(documented.map(([name]) => name.toLowerCase()).toSorted()).toEqual(own.toSorted());
  });

  test("is no other message, by the document", () => {
    const other = receivedOf(TYPES.find((one) => one !== type) ?? "");
    const content = at(type, "requestBody/content/application~1json/schema");
    expect(faultOf(content, JSON.parse(other?.body ?? "{}"))).toContain("/type");
  });

  test("has a name and a summary of its own, and tells what answers mean", () => {
    expect(follow(document, at(type))).toMatchObject({
      operationId: expect.stringMatching(/^on[A-Z]\w+$/),
      summary: expect.stringMatching(/^[A-Z]/),
      responses: {
        "2XX": { description: expect.stringContaining("10 s") },
        default: { description: expect.stringContaining("redirect") },
      },
    });
  });
});
