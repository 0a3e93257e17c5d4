/** What an organization may have of each kind, through the routes that make one more. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { ORG_ROWS_MAX } from "#core/limits.ts";
import type { ApiAnswer, ApiClient } from "../http/testing/api-client.ts";
import { newUser } from "./auth/new-rows.ts";
import type { ApiBench } from "./testing/api-bench.ts";
import { openShop } from "./testing/shop-of-plan.ts";

const API = "/api/v1";
const ORG = `${API}/org`;

let bench: ApiBench;
let owner: ApiClient;
let orgId: string;
beforeEach(async () => {
  ({ bench, owner, orgId } = await openShop("enterprise"));
});
afterEach(() => bench.close());

const hook = { url: "https://hook.example/in", events: ["command.completed"] };
const key = { label: "Till", scopes: ["commands"] };
const member = (name: string) => ({ email: `${name}@shop.example`, name, role: "operator" });

type Kind = keyof typeof ORG_ROWS_MAX;
interface Rows {
  /** One more by the API. */
  readonly more: (name: string) => Promise<ApiAnswer>;
  /** One more behind the API's back, as of a version that had no bound. */
  readonly put: (name: string) => void;
  /** Where one is removed, by its name. */
  readonly place: (name: string) => string;
}
const NOTHING = { createdAt: 0, updatedAt: 0 };
const KINDS: Readonly<Record<Exclude<Kind, "webhooks">, Rows>> = {
  apiKeys: {
    more: () => owner.post(`${ORG}/api-keys`, key),
    put: (id) =>
      bench.stores.apiKeys.insert({
        ...{ id, orgId, hash: id, prefix: id, last4: "0000", label: id, scopes: [], active: false },
        ...{ createdAt: 0, lastUsed: null, expiresAt: null },
        ...{ rotatedFromId: null, rotatedToId: null },
      }),
    place: (id) => `${ORG}/api-keys/${id}`,
  },
  controllers: {
    more: (id) =>
      owner.post(`${API}/controllers/${id}`, { controllerName: id, locationId: "shop" }),
    put: (id) => bench.stores.controllers.put(orgId, id, { updatedAt: 0 }),
    place: (id) => `${API}/controllers/${id}`,
  },
  locations: {
    more: (name) => owner.post(`${ORG}/locations`, { name }),
    put: (id) =>
      bench.stores.locations.insert({
        ...{ id, orgId, name: id, address: null, timezone: null },
        ...NOTHING,
      }),
    place: (id) => `${ORG}/locations/${id}`,
  },
  members: {
    more: (name) => owner.post(`${ORG}/members`, member(name)),
    put: (id) => {
      const user = { ...member(id), role: "operator" as const, passwordHash: null };
      bench.stores.users.insert(newUser({ ...user, id, orgId, now: 0 }));
    },
    place: (id) => `${ORG}/members/${id}`,
  },
};

test.each(Object.entries(KINDS))(
  "of %s there are as many as there may be, and what is above that stays",
  async (kind, { more, put, place }) => {
    const max = ORG_ROWS_MAX[kind as Kind];
    for (let n = 1; n < max; n += 1) put(`x${n}`);
    // The owner is a member too.
    if (kind !== "members") expect((await more("last")).status).toBeLessThan(300);
    const refused = await more("beyond");
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: { code: "CONFLICT", message: expect.stringContaining(`may have ${max} `) } },
    ]);
    // Another shop has rows of its own, and whoever removes one has room again.
    put("above");
    expect((await more("beyond")).status).toBe(409);
    for (const name of ["above", "x1"]) expect((await owner.delete(place(name))).status).toBe(204);
    expect((await more("beyond")).status).toBeLessThan(300);
  },
);

test("what is known of a controller is changed, also where there are as many as there may be", async () => {
  for (let n = 0; n < ORG_ROWS_MAX.controllers; n += 1) KINDS.controllers.put(`x${n}`);
  const token = (id: string) =>
    owner.post(`${API}/controllers/${id}/fcm-token`, { fcmToken: "token" });
  expect((await KINDS.controllers.more("x7")).status).toBe(200);
  expect([(await token("x7")).status, (await token("new")).status]).toEqual([200, 409]);
  // One that connects all the same prints, and nothing is kept of it.
  const identity = { orgId, name: "Tablet", appVersion: "1", deviceModel: "m", osVersion: "o" };
  const connect = (controllerId: string) =>
    bench.controllers.connect({ ...identity, controllerId, reportsMarks: true }, [], {
      ...{ send() {}, close() {} },
    });
  const connections = [connect("x8"), connect("new")];
  await bench.writer.run(() => undefined);
  const { instances } = (await owner.get(`${API}/controllers`)).body as { instances: unknown[] };
  expect(instances).toMatchObject([{ controllerId: "x8" }, { controllerId: "new" }]);
  for (const connection of connections) connection.close();
  await bench.writer.run(() => undefined);
  const { controllers } = bench.stores;
  expect([controllers.get(orgId, "x8")?.name, controllers.get(orgId, "new")]).toEqual([
    "Tablet",
    undefined,
  ]);
});

test("a key is not rotated where it would be one more than there may be", async () => {
  const id = (await KINDS.apiKeys.more("")).field("id");
  for (let n = 1; n < ORG_ROWS_MAX.apiKeys; n += 1) KINDS.apiKeys.put(`x${n}`);
  const rotate = () => owner.post(`${ORG}/api-keys/${id}/rotate`, {});
  expect((await rotate()).status).toBe(409);
  await owner.delete(`${ORG}/api-keys/x1`);
  expect((await rotate()).status).toBeLessThan(300);
});

test("of webhooks there are as many as there may be", async () => {
  for (let n = 0; n < ORG_ROWS_MAX.webhooks; n += 1) {
    expect((await owner.post(`${ORG}/webhooks`, hook)).status).toBe(201);
  }
  const refused = await owner.post(`${ORG}/webhooks`, hook);
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { error: { code: "CONFLICT", message: expect.stringContaining("may have 100 webhooks") } },
  ]);
});
