import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

let bench: ApiBench;
beforeEach(() => {
  bench = createApiBench();
});
afterEach(() => bench.close());

describe("the plan", () => {
  test("begins as free, and shows limits beside what is in use", async () => {
    const { client } = await bench.owner();
    expect((await client.get("/api/v1/billing")).body).toEqual({
      plan: "free",
      limits: { devices: 2, apiKeys: 0 },
      usage: { devices: 0, apiKeys: 0 },
    });
  });

  test("is picked by the owner; without a limit means null", async () => {
    const { client } = await bench.owner();
    const answer = await client.put("/api/v1/billing/plan", { plan: "enterprise" });
    expect(answer.body).toMatchObject({
      plan: "enterprise",
      limits: { devices: null, apiKeys: null },
    });
    const org = await client.get("/api/v1/org");
    expect(org.body).toMatchObject({ name: "Shop", plan: "enterprise" });
  });

  test("is not for admins to pick, nor can it be any other word", async () => {
    const { client, orgId } = await bench.owner();
    const admin = await bench.member(orgId, "admin");
    const plan = "/api/v1/billing/plan";
    expect((await admin.client.put(plan, { plan: "pro" })).refusal).toBe("403 FORBIDDEN");
    const wrong = await client.put(plan, { plan: "gold" });
    expect(wrong.refusal).toBe("400 VALIDATION_ERROR");
    expect(wrong.text).toContain("free, pro, enterprise");
  });

  test("may go below what is in use: nothing is removed, new ones are refused", async () => {
    const { client } = await bench.owner();
    await client.put("/api/v1/billing/plan", { plan: "pro" });
    const key = await client.post("/api/v1/org/api-keys", { label: "till", scopes: ["all"] });
    const answer = await client.put("/api/v1/billing/plan", { plan: "free" });
    expect(answer.body).toMatchObject({ limits: { apiKeys: 0 }, usage: { apiKeys: 1 } });
    const till = bench.client.as(key.field("key"));
    expect((await till.get("/api/v1/devices")).status).toBe(200);
    const another = await client.post("/api/v1/org/api-keys", { label: "n", scopes: ["all"] });
    expect(another.refusal).toBe("403 TIER_LIMIT_EXCEEDED");
  });

  test("pro has room for ten devices, enterprise for any number", async () => {
    const { client } = await bench.owner();
    let host = 0;
    const add = () =>
      client.post("/api/v1/devices", {
        ...{ name: "Till", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
        connectionParams: { host: `10.0.0.${++host}`, port: 9100 },
      });
    const plan = (word: string) => client.put("/api/v1/billing/plan", { plan: word });
    expect((await plan("pro")).body).toMatchObject({ limits: { devices: 10, apiKeys: null } });
    for (let count = 0; count < 10; count += 1) expect((await add()).status).toBe(201);
    expect((await add()).refusal).toBe("403 TIER_LIMIT_EXCEEDED");
    await plan("enterprise");
    for (let count = 0; count < 2; count += 1) expect((await add()).status).toBe(201);
  });

  test("below the devices in use leaves them, and refuses another one", async () => {
    const { client } = await bench.owner();
    await client.put("/api/v1/billing/plan", { plan: "pro" });
    const add = (host: string) =>
      client.post("/api/v1/devices", {
        ...{ name: "Till", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
        connectionParams: { host, port: 9100 },
      });
    for (const host of ["10.0.0.1", "10.0.0.2", "10.0.0.3"]) {
      expect((await add(host)).status).toBe(201);
    }
    const answer = await client.put("/api/v1/billing/plan", { plan: "free" });
    expect(answer.body).toMatchObject({ limits: { devices: 2 }, usage: { devices: 3 } });
    expect((await add("10.0.0.4")).refusal).toBe("403 TIER_LIMIT_EXCEEDED");
    expect((await client.get("/api/v1/devices")).body).toHaveLength(3);
  });

  test("is not shown to API keys, and not without a login", async () => {
    const { client } = await bench.owner();
    await client.put("/api/v1/billing/plan", { plan: "pro" });
    const key = await client.post("/api/v1/org/api-keys", { label: "till", scopes: ["all"] });
    const till = bench.client.as(key.field("key"));
    for (const [method, path] of [
      ["GET", "/api/v1/billing"],
      ["PUT", "/api/v1/billing/plan"],
    ] as const) {
      expect((await till.call(method, path)).refusal).toBe("403 FORBIDDEN");
      expect((await bench.client.call(method, path)).refusal).toBe("401 UNAUTHORIZED");
    }
  });
});
