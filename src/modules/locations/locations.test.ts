import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { ApiClient } from "../../http/testing/api-client.ts";
import type { ApiBench } from "../testing/api-bench.ts";
import { openShop } from "../testing/shop-of-plan.ts";

const LOCATIONS = "/api/v1/org/locations";
const Answer = Type.Object({ location: Type.Object({ id: Type.String() }) });
const ANYTHING = { name: "Shop", address: "1 Main St", timezone: "Europe/Sofia" };

let bench: ApiBench;
let owner: ApiClient;
let orgId: string;
beforeEach(async () => {
  ({ bench, owner, orgId } = await openShop("enterprise"));
});
afterEach(() => bench.close());

/** Adds a location. @returns its id */
async function add(body: object = ANYTHING): Promise<string> {
  return (await owner.post(LOCATIONS, body)).as(Answer).location.id;
}

async function addDevice(locationId: string): Promise<string> {
  const answer = await owner.post("/api/v1/devices", {
    ...{ name: "Till", driver: "vendorA.isl", transport: "tcp", locationId },
    connectionParams: { host: "10.0.0.9", port: 9100 },
  });
  return answer.field("id");
}

async function keyWith(...scopes: string[]): Promise<ApiClient> {
  const key = await owner.post("/api/v1/org/api-keys", { label: "key", scopes });
  return bench.client.as(key.field("key"));
}

describe("a location", () => {
  test("is added, shown, listed, changed and removed", async () => {
    const created = await owner.post(LOCATIONS, ANYTHING);
    const now = new Date(bench.clock.now()).toISOString();
    const location = {
      ...{ id: expect.stringMatching(/^loc_[0-9A-HJKMNP-TV-Z]{26}$/), orgId, ...ANYTHING },
      ...{ createdAt: now, updatedAt: now },
    };
    expect([created.status, created.body]).toEqual([201, { location }]);
    const { id } = created.as(Answer).location;
    expect((await owner.get(`${LOCATIONS}/${id}`)).body).toEqual({ location });
    const second = await add({ name: "Store" });

    bench.clock.advance(1_000);
    const changed = await owner.patch(`${LOCATIONS}/${id}`, { address: null, name: "Corner" });
    const updatedAt = new Date(bench.clock.now()).toISOString();
    const after = { ...location, address: null, name: "Corner", updatedAt };
    expect([changed.status, changed.body]).toEqual([200, { location: after }]);
    expect((await owner.get(LOCATIONS)).body).toMatchObject({
      locations: [
        { id, name: "Corner" },
        { id: second, name: "Store", address: null, timezone: null },
      ],
    });

    expect((await owner.delete(`${LOCATIONS}/${id}`)).status).toBe(204);
    expect((await owner.get(`${LOCATIONS}/${id}`)).refusal).toBe("404 NOT_FOUND");
    expect((await owner.delete(`${LOCATIONS}/${id}`)).refusal).toBe("404 NOT_FOUND");
    const actions = bench.stores.audit.list(orgId, 4).map(({ action }) => action);
    expect(actions).toEqual([
      ...["location.removed", "location.updated", "location.created", "location.created"],
    ]);
  });

  test("of another organization does not exist", async () => {
    const id = await add();
    const { client } = await bench.owner("other@example.com");
    expect((await client.get(LOCATIONS)).body).toEqual({ locations: [] });
    expect((await client.get(`${LOCATIONS}/${id}`)).refusal).toBe("404 NOT_FOUND");
    // 404 comes before the body is looked at.
    expect((await client.patch(`${LOCATIONS}/${id}`, {})).refusal).toBe("404 NOT_FOUND");
    expect((await client.delete(`${LOCATIONS}/${id}`)).refusal).toBe("404 NOT_FOUND");
    expect((await owner.get(`${LOCATIONS}/${id}`)).status).toBe(200);
  });

  test.each([
    [{}, "name"],
    [{ name: "" }, "name"],
    [{ name: "x".repeat(256) }, "name"],
    [{ ...ANYTHING, address: "" }, "address"],
    [{ ...ANYTHING, address: "x".repeat(501) }, "address"],
    [{ ...ANYTHING, timezone: "Europe/Atlantis" }, "timezone"],
    [{ ...ANYTHING, timezone: "+02:00" }, "timezone"],
    [{ ...ANYTHING, timezone: 2 }, "timezone"],
  ])("is refused when it is wrong: %j", async (body, path) => {
    const answer = await owner.post(LOCATIONS, body);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
    expect((await owner.get(LOCATIONS)).body).toEqual({ locations: [] });
  });

  test.each([
    [{ ...ANYTHING, address: "" }, "Expected 1 to 500 characters, or null"],
    [{ ...ANYTHING, address: 7 }, "Expected string, or null"],
  ])("is refused with what is wanted: %j", async (body, message) => {
    const answer = await owner.post(LOCATIONS, body);
    expect(answer.body).toMatchObject({ error: { details: [{ path: "address", message }] } });
  });

  test("is changed only by something, and something right", async () => {
    const id = await add();
    for (const [body, path] of [
      [{}, ""],
      [{ other: 1 }, ""],
      [{ name: "" }, "name"],
      [{ timezone: "Mars/Base" }, "timezone"],
    ] as const) {
      const answer = await owner.patch(`${LOCATIONS}/${id}`, body);
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
    }
    expect((await owner.get(`${LOCATIONS}/${id}`)).body).toMatchObject({ location: ANYTHING });
  });
});

describe("who may", () => {
  test("read: devices:read, which operators cover; write: devices:write", async () => {
    const id = await add();
    const operator = (await bench.member(orgId, "operator")).client;
    const readers = [operator, await keyWith("devices:read")];
    for (const client of readers) {
      expect((await client.get(LOCATIONS)).status).toBe(200);
      expect((await client.get(`${LOCATIONS}/${id}`)).status).toBe(200);
      expect((await client.post(LOCATIONS, {})).refusal).toBe("403 FORBIDDEN");
      expect((await client.patch(`${LOCATIONS}/none`, {})).refusal).toBe("403 FORBIDDEN");
      expect((await client.delete(`${LOCATIONS}/none`)).refusal).toBe("403 FORBIDDEN");
    }
    const writer = await keyWith("devices:write");
    expect((await writer.get(LOCATIONS)).refusal).toBe("403 FORBIDDEN");
    expect((await writer.post(LOCATIONS, ANYTHING)).status).toBe(201);
    expect((await writer.patch(`${LOCATIONS}/${id}`, { name: "K" })).status).toBe(200);
    expect((await writer.delete(`${LOCATIONS}/${id}`)).status).toBe(204);
    const other = await keyWith("commands", "receipts:admin", "reports");
    expect((await other.get(LOCATIONS)).refusal).toBe("403 FORBIDDEN");
    const admin = (await bench.member(orgId, "admin")).client;
    expect((await admin.post(LOCATIONS, ANYTHING)).status).toBe(201);
  });

  test("nobody without a credential", async () => {
    for (const [method, path] of [
      ["GET", LOCATIONS],
      ["POST", LOCATIONS],
      ["GET", `${LOCATIONS}/none`],
      ["PATCH", `${LOCATIONS}/none`],
      ["DELETE", `${LOCATIONS}/none`],
    ] as const) {
      expect((await bench.client.call(method, path)).refusal).toBe("401 UNAUTHORIZED");
    }
  });
});

test("devices hear of a new zone of theirs, and of nothing else", async () => {
  const id = await add();
  const deviceId = await addDevice(id);
  await addDevice("somewhere");
  const told = async (change: () => Promise<unknown>) => {
    const before = bench.events.length;
    await change();
    return bench.events
      .slice(before)
      .map((event) => ("device" in event ? event.device.id : event.type));
  };
  const path = `${LOCATIONS}/${id}`;
  expect(await told(() => owner.patch(path, { name: "N", timezone: "Europe/Sofia" }))).toEqual([]);
  expect(await told(() => owner.patch(path, { timezone: "Europe/Athens" }))).toEqual([deviceId]);
});

test("a location stays while devices stand in it", async () => {
  const id = await add();
  const path = `${LOCATIONS}/${id}`;
  const device = `/api/v1/devices/${await addDevice(id)}`;
  const other = await addDevice(id);
  const refused = await owner.delete(path);
  expect([refused.refusal, refused.text]).toEqual([
    "409 CONFLICT",
    expect.stringContaining("2 devices stand there"),
  ]);
  await owner.patch(device, { locationId: "elsewhere" });
  expect((await owner.delete(path)).text).toContain("1 device stands there");
  await owner.delete(`/api/v1/devices/${other}`);
  expect((await owner.delete(path)).status).toBe(204);
});
