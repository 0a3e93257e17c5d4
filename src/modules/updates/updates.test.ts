import { afterEach, expect, test } from "bun:test";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

let bench: ApiBench;
afterEach(() => bench.close());

test("versions are for owners and admins, who may have newer ones looked for", async () => {
  let isNamed = false;
  bench = createApiBench({ updates: { check: () => Promise.resolve(isNamed) } });
  const { client, orgId } = await bench.owner();
  const admin = await bench.member(orgId, "admin");
  const operator = await bench.member(orgId, "operator");
  expect((await admin.client.get("/api/v1/update")).body).toMatchObject({ version: "0.0.0" });
  expect((await operator.client.get("/api/v1/update")).refusal).toBe("403 FORBIDDEN");
  const asked = await client.post("/api/v1/update/check", {});
  expect([asked.refusal, asked.text]).toEqual([
    ...["409 CONFLICT", expect.stringContaining("update.from")],
  ]);
  isNamed = true;
  expect((await client.post("/api/v1/update/check", {})).body).toMatchObject({ version: "0.0.0" });
});

test("where the gateway is reached is for owners and admins too", async () => {
  bench = createApiBench();
  const { client, orgId } = await bench.owner();
  const operator = await bench.member(orgId, "operator");
  expect((await client.get("/api/v1/network")).body).toMatchObject({ hostname: "bench" });
  expect((await operator.client.get("/api/v1/network")).refusal).toBe("403 FORBIDDEN");
});
