import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

let bench: ApiBench;
beforeEach(() => {
  bench = createApiBench({ registration: "open" });
});
afterEach(() => bench.close());

describe("the organization", () => {
  test("is shown to its members, to each the own one", async () => {
    const shop = await bench.owner();
    const other = await bench.owner("other@example.com");
    const operator = await bench.member(shop.orgId, "operator");
    const answer = await operator.client.get("/api/v1/org");
    expect(answer.body).toEqual({
      id: shop.orgId,
      name: "Shop",
      currency: expect.stringMatching(/^[A-Z]{3}$/),
      timezone: expect.any(String),
      plan: "free",
      createdAt: new Date(bench.clock.now()).toISOString(),
      updatedAt: new Date(bench.clock.now()).toISOString(),
    });
    expect((await other.client.get("/api/v1/org")).field("id")).toBe(other.orgId);
  });

  test("is not shown to API keys, nor to anybody else", async () => {
    const { client, orgId } = await bench.owner();
    await bench.setPlan(orgId, "pro");
    const key = await client.post("/api/v1/org/api-keys", { label: "till", scopes: ["all"] });
    const till = bench.client.as(key.field("key"));
    expect((await till.get("/api/v1/org")).refusal).toBe("403 FORBIDDEN");
    expect((await bench.client.get("/api/v1/org")).refusal).toBe("401 UNAUTHORIZED");
  });
});
