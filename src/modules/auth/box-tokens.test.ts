import { afterEach, beforeEach, expect, test } from "bun:test";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

let bench: ApiBench;
beforeEach(() => {
  bench = createApiBench();
});
afterEach(() => bench.close());

const ask = async (token: string, path: string) =>
  (await bench.client.as(token).get(`/api/v1${path}`)).status;

test("the person at the box asks within one scope and one organization, for a minute", async () => {
  const { orgId } = await bench.owner();
  const token = await bench.tokens.issueForBox({ orgId, scope: "devices:read" });
  expect(await ask(token, "/devices")).toBe(200);
  expect(await ask(token, "/commands")).toBe(403);
  expect(await ask(token, "/org/api-keys")).toBe(403);
  expect(bench.stores.apiKeys.list(orgId)).toEqual([]);
  const elsewhere = await bench.tokens.issueForBox({ orgId: "0123456789ab", scope: "all" });
  expect((await bench.client.as(elsewhere).get("/api/v1/devices")).body).toEqual([]);
  bench.clock.advance(59_000);
  expect(await ask(token, "/devices")).toBe(200);
  bench.clock.advance(1_000);
  expect(await ask(token, "/devices")).toBe(401);
});
