import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

const ORG = "/api/v1/org";

let bench: ApiBench;
beforeEach(() => {
  bench = createApiBench({ registration: "open" });
});
afterEach(() => bench.close());

/** Registers a device. @returns its id */
async function addDevice(client: ApiClient, locationId = "shop"): Promise<string> {
  const answer = await client.post("/api/v1/devices", {
    ...{ name: "Till", driver: "vendorA.isl", transport: "tcp", locationId },
    connectionParams: { host: "10.0.0.9", port: 9100 },
  });
  return answer.field("id");
}

/** The devices of which their controllers are told anew, from now on. */
function toldFromNow(): () => string[] {
  const before = bench.events.length;
  return () =>
    bench.events
      .slice(before)
      .flatMap((event) => (event.type === "device.updated" ? [event.device.id] : []));
}

describe("the organization", () => {
  test("is shown to its members, to each the own one", async () => {
    const shop = await bench.owner();
    const other = await bench.owner("other@example.com");
    const operator = await bench.member(shop.orgId, "operator");
    const answer = await operator.client.get(ORG);
    expect(answer.body).toEqual({
      id: shop.orgId,
      name: "Shop",
      currency: expect.stringMatching(/^[A-Z]{3}$/),
      timezone: expect.any(String),
      plan: "free",
      ...{ closingTime: null, closingAutomatic: false },
      createdAt: new Date(bench.clock.now()).toISOString(),
      updatedAt: new Date(bench.clock.now()).toISOString(),
    });
    expect((await other.client.get(ORG)).field("id")).toBe(other.orgId);
  });

  test("is not shown to API keys, nor to anybody else", async () => {
    const { client, orgId } = await bench.owner();
    await bench.setPlan(orgId, "pro");
    const key = await client.post("/api/v1/org/api-keys", { label: "till", scopes: ["all"] });
    const till = bench.client.as(key.field("key"));
    expect((await till.get(ORG)).refusal).toBe("403 FORBIDDEN");
    expect((await till.patch(ORG, {})).refusal).toBe("403 FORBIDDEN");
    expect((await bench.client.get(ORG)).refusal).toBe("401 UNAUTHORIZED");
    expect((await bench.client.patch(ORG, {})).refusal).toBe("401 UNAUTHORIZED");
  });
});

describe("changing the organization", () => {
  test("sets what is given, for admins too, and says so in the audit log", async () => {
    const { client, orgId } = await bench.owner();
    const other = await bench.owner("other@example.com");
    const admin = await bench.member(orgId, "admin");
    bench.clock.advance(1_000);
    const change = { name: "Corner", currency: "BGN", timezone: "europe/sofia" };
    const answer = await admin.client.patch(ORG, change);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      ...{ id: orgId, name: "Corner", currency: "BGN", timezone: "Europe/Sofia", plan: "free" },
      updatedAt: new Date(bench.clock.now()).toISOString(),
    });
    expect((await client.get(ORG)).body).toEqual(answer.body);
    expect((await other.client.get(ORG)).field("name")).toBe("Shop");
    expect(bench.stores.audit.list(orgId, 1)).toMatchObject([
      {
        ...{ actor: `user:${admin.userId}`, action: "organization.updated", resource: orgId },
        details: { name: "Corner", currency: "BGN", timezone: "Europe/Sofia" },
      },
    ]);
    const one = await client.patch(ORG, { currency: "EUR" });
    expect(one.body).toMatchObject({ name: "Corner", currency: "EUR", timezone: "Europe/Sofia" });
  });

  test("is not for operators, whatever they send", async () => {
    const { orgId } = await bench.owner();
    const operator = await bench.member(orgId, "operator");
    expect((await operator.client.patch(ORG, { name: "" })).refusal).toBe("403 FORBIDDEN");
  });

  test.each([
    [{}, [""]],
    [{ plan: "pro" }, [""]],
    [{ name: "" }, ["name"]],
    [{ name: "x".repeat(256) }, ["name"]],
    [{ currency: "lei" }, ["currency"]],
    [{ currency: "LEI" }, ["currency"]],
    [{ currency: "XXX" }, ["currency"]],
    [{ timezone: "Europe/Atlantis" }, ["timezone"]],
    [{ timezone: "+02:00" }, ["timezone"]],
    [{ timezone: null }, ["timezone"]],
    [{ closingTime: "24:00" }, ["closingTime"]],
    [{ closingTime: "8:00" }, ["closingTime"]],
    [{ closingAutomatic: null }, ["closingAutomatic"]],
    [{ currency: "ZZZ", timezone: "Nowhere" }, ["currency", "timezone"]],
  ])("refuses %j", async (body, paths) => {
    const { client, orgId } = await bench.owner();
    const before = bench.stores.organizations.get(orgId);
    const answer = await client.patch(ORG, body);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", paths]);
    expect(bench.stores.organizations.get(orgId)).toEqual(before);
  });

  test("sets the closing time, and takes it back", async () => {
    const { client, orgId } = await bench.owner();
    const closing = { closingTime: "20:30", closingAutomatic: true };
    expect((await client.patch(ORG, closing)).body).toMatchObject(closing);
    expect(bench.stores.organizations.get(orgId)?.closingSetAt).toBe(bench.clock.now());
    expect((await client.patch(ORG, { closingTime: null })).body).toMatchObject({
      ...{ closingTime: null, closingAutomatic: true },
    });
  });

  test("takes names up to 255 characters", async () => {
    const { client } = await bench.owner();
    expect((await client.patch(ORG, { name: "ș".repeat(255) })).status).toBe(200);
  });

  test("of zone or currency is told to the devices that it concerns", async () => {
    const { client, orgId } = await bench.owner();
    await bench.setPlan(orgId, "enterprise");
    const sofia = await client.post(`${ORG}/locations`, { name: "S", timezone: "Europe/Sofia" });
    const plain = await client.post(`${ORG}/locations`, { name: "P" });
    const idOf = (answer: typeof sofia) => String(Object(Object(answer.body).location).id);
    const elsewhere = await addDevice(client, idOf(sofia));
    const here = [await addDevice(client), await addDevice(client, idOf(plain))];
    await client.patch(ORG, { timezone: "Europe/Bucharest", currency: "RON" });

    let told = toldFromNow();
    await client.patch(ORG, { name: "Corner", timezone: "Europe/Bucharest", currency: "RON" });
    expect(told()).toEqual([]);
    told = toldFromNow();
    await client.patch(ORG, { timezone: "Europe/Chisinau" });
    expect(told().sort()).toEqual(here.toSorted());
    told = toldFromNow();
    await client.patch(ORG, { currency: "EUR" });
    expect(told().sort()).toEqual([...here, elsewhere].sort());
  });
});

test("registering takes only currencies and zones that exist", async () => {
  const body = { email: "a@example.com", password: "a long password", name: "A" };
  const register = (change: object) =>
    bench.client.post("/api/v1/auth/register", { ...body, organizationName: "S", ...change });
  expect((await register({ currency: "LEI", timezone: "+02:00" })).issuePaths).toEqual([
    "currency",
    "timezone",
  ]);
  const right = await register({ currency: "EUR", timezone: "Europe/Madrid" });
  expect(right.body).toMatchObject({
    organization: { currency: "EUR", timezone: "Europe/Madrid" },
  });
});
