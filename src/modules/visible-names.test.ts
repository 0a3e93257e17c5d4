/** Names that nobody could see are refused, wherever one is given. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { type ApiBench, createApiBench } from "./testing/api-bench.ts";

const API = "/api/v1";
const UNSEEN = ["\u200b", "\u200b\u2060\ufeff", "   ", "\u3164"];
const TURNING = ["Till \u202e1", "\u2066Till", "Till\u202a"];
const PRINTER = {
  ...{ driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
  connectionParams: { host: "192.0.2.9", port: 3999 },
};

let bench: ApiBench;
beforeEach(() => {
  bench = createApiBench();
});
afterEach(() => bench.close());

test.each([
  { of: "a shop", path: "/org", field: "name", method: "patch", body: {} },
  { of: "a place", path: "/org/locations", field: "name", method: "post", body: {} },
  { of: "a printer", path: "/devices", field: "name", method: "post", body: PRINTER },
  {
    ...{ of: "a person", path: "/org/members", field: "name", method: "post" },
    body: { email: "ion@example.com", role: "operator" },
  },
  {
    ...{ of: "a key", path: "/org/api-keys", field: "label", method: "post" },
    body: { scopes: ["devices"] },
  },
  { of: "oneself", path: "/auth/me", field: "name", method: "patch", body: {} },
] as const)("that of $of", async ({ path, field, method, body }) => {
  const { orgId } = await bench.owner();
  const { client } = await bench.member(orgId, "owner");
  await bench.setPlan(orgId, "enterprise");
  for (const name of [...UNSEEN, ...TURNING]) {
    const answer = await client[method](`${API}${path}`, { ...body, [field]: name });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("a name that can be seen");
  }
  // Signs without width within a name are a person's own, as in Persian.
  const answer = await client[method](`${API}${path}`, { ...body, [field]: "Ana\u200c 2" });
  expect(answer.status).toBeLessThan(300);
});
