import { afterEach, beforeEach, expect, test } from "bun:test";
import { createRandom } from "../../platform/random.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";
import { createApiKeyService } from "./service.ts";

let bench: ApiBench;
beforeEach(() => {
  bench = createApiBench();
});
afterEach(() => bench.close());

test("a key that is lent works whatever the plan says, for a minute or until it is revoked", async () => {
  const { orgId } = await bench.owner();
  const keys = createApiKeyService({ ...bench, random: createRandom(bench.clock) });
  const caller = { orgId, actor: "box", address: null };
  const wanted = { label: "fiscald trace", scopes: ["devices:read"] } as const;
  const status = async (key: string) => (await bench.client.as(key).get("/api/v1/devices")).status;

  const first = await keys.lend(caller, wanted);
  expect(await status(first.key)).toBe(200);
  bench.clock.advance(60_000);
  expect(await status(first.key)).toBe(401);

  const second = await keys.lend(caller, wanted);
  await keys.revoke(caller, second.id);
  expect(await status(second.key)).toBe(401);
  expect(() => keys.requirePlan(orgId)).toThrow("does not allow");
});
