import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type CommandsBench, createCommandsBench } from "./commands/testing/commands-bench.ts";

const Body = Type.Object({
  content: Type.Object({ "application/json": Type.Object({ example: Type.Unknown() }) }),
});
const Document = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Record(Type.String(), Type.Object({ requestBody: Type.Optional(Body) })),
  ),
});

/** What the documentation page fills in for each route that takes a body. */
let examples: readonly { readonly route: string; readonly example: unknown }[];
let bench: CommandsBench;
beforeAll(async () => {
  bench = await createCommandsBench();
  const { paths } = (await bench.client.get("/api/v1/openapi.json")).as(Document);
  examples = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) =>
      requestBody === undefined
        ? []
        : [
            {
              route: `${method.toUpperCase()} ${path}`,
              example: requestBody.content["application/json"].example,
            },
          ],
    ),
  );
});
afterAll(() => bench.close());

/** A webhook that was tried once; its name leads nowhere. */
async function triedWebhook(): Promise<{ webhookId: string; deliveryId: string }> {
  const body = { url: "https://hooks.example/", events: ["device.online"] };
  const answer = await bench.owner.post("/api/v1/org/webhooks", body);
  const Ided = Type.Object({ id: Type.String() });
  const { webhook } = answer.as(Type.Object({ webhook: Ided }));
  const tried = await bench.owner.post(`/api/v1/org/webhooks/${webhook.id}/test`);
  const { delivery } = tried.as(Type.Object({ delivery: Ided }));
  return { webhookId: webhook.id, deliveryId: delivery.id };
}

const exampleOf = (route: string): object => {
  const found = examples.find((one) => one.route === route)?.example;
  return typeof found === "object" && found !== null ? found : {};
};

/** The device or delivery of an example is nobody's. @returns it with one that is there */
function inPlace(example: unknown, own: Readonly<Record<string, string>>): unknown {
  if (typeof example !== "object" || example === null) return example;
  const named = Object.entries(own).filter(([name]) => name in example);
  return { ...example, ...Object.fromEntries(named) };
}

describe("an example of the documentation", () => {
  test("is there for every body", () => {
    expect(examples.length).toBeGreaterThan(10);
    expect(examples.filter(({ example }) => example === undefined)).toEqual([]);
  });

  test("queues a receipt when it is sent, on both routes", async () => {
    const route = `/api/v1/devices/${bench.deviceId}/commands`;
    const byDevice = exampleOf("POST /api/v1/devices/{deviceId}/commands");
    expect((await bench.till.post(route, byDevice)).status).toBe(201);
    const byBody = exampleOf("POST /api/v1/commands");
    expect(byBody).toHaveProperty("deviceId");
    const sent = { ...byBody, deviceId: bench.deviceId };
    expect((await bench.till.post("/api/v1/commands", sent)).status).toBe(202);
  });

  test("is taken as it stands by the other routes", async () => {
    const keys = await bench.owner.get("/api/v1/org/api-keys");
    const [key] = keys.as(Type.Array(Type.Object({ id: Type.String() })));
    const commandId = await bench.queued("get_status", {});
    const location = await bench.owner.post("/api/v1/org/locations", { name: "Shop" });
    const added = await bench.owner.post("/api/v1/org/members", {
      ...{ email: "bo@shop.example", name: "Bo", role: "operator" },
    });
    const Member = Type.Object({ member: Type.Object({ id: Type.String() }) });
    const Location = Type.Object({ location: Type.Object({ id: Type.String() }) });
    const sale = { ...exampleOf("POST /api/v1/receipts"), deviceId: bench.deviceId, fiscalId: "1" };
    const stored = await bench.owner.post("/api/v1/receipts", sale);
    const { receipt } = stored.as(Type.Object({ receipt: Type.Object({ id: Type.String() }) }));
    const { webhookId, deliveryId } = await triedWebhook();
    const named: Readonly<Record<string, string | undefined>> = {
      "{deviceId}": bench.deviceId,
      "{keyId}": key?.id,
      "{commandId}": commandId,
      "{userId}": added.as(Member).member.id,
      "{locationId}": location.as(Location).location.id,
      "{controllerId}": "tablet-1",
      "{webhookId}": webhookId,
      "{receiptId}": receipt.id,
    };
    for (const { route, example } of examples) {
      const [method = "", path = ""] = route.split(" ");
      if (path.endsWith("/commands")) continue;
      const place = path.replace(/\{\w+\}/, (name) => named[name] ?? name);
      const body = inPlace(example, { deviceId: bench.deviceId, deliveryId });
      const { status } = await bench.owner.call(method, place, { body });
      // Whether there is such a user or token is another question than whether the body is right.
      expect([route, [400, 404, 500].includes(status)]).toEqual([route, false]);
    }
  });
});
