import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { createCommandsBench } from "../commands/testing/commands-bench.ts";
import type { ApiBench } from "../testing/api-bench.ts";
import { openShop } from "../testing/shop-of-plan.ts";

const KEYS = "/api/v1/org/api-keys";

let bench: ApiBench;
let owner: ApiClient;
let orgId: string;
beforeEach(async () => {
  ({ bench, owner, orgId } = await openShop("pro"));
});
afterEach(() => bench.close());

async function create(change: Record<string, unknown> = {}) {
  const answer = await owner.post(KEYS, { label: "till", scopes: ["devices:read"], ...change });
  return { answer, id: answer.field("id"), key: answer.field("key") };
}

const withKey = (key: string) => bench.client.with({ "x-api-key": key }).get("/api/v1/devices");

describe("creating a key", () => {
  test("shows its text once and stores only its hash", async () => {
    const { answer, key } = await create();
    expect(answer.status).toBe(201);
    expect(key).toMatch(new RegExp(`^svc_live_${orgId}_[0-9a-f]{32}$`));
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^key_/),
      key,
      prefix: `${key.slice(0, 12)}…`,
      last4: key.slice(-4),
      label: "till",
      scopes: ["devices:read"],
      active: true,
      createdAt: "2026-01-15T10:00:00.000Z",
      expiresAt: null,
    });
    const list = await owner.get(KEYS);
    expect(list.text).not.toContain(key);
    expect(JSON.stringify(bench.stores.apiKeys.list(orgId))).not.toContain(key.slice(-32));
  });

  test("is refused on the free plan before the body is looked at", async () => {
    await bench.setPlan(orgId, "free");
    expect((await owner.post(KEYS, {})).refusal).toBe("403 TIER_LIMIT_EXCEEDED");
  });

  test.each([
    ["label", { label: "" }],
    ["label", { label: "x".repeat(101) }],
    ["scopes", { scopes: [] }],
    ["scopes.1", { scopes: ["all", "everything"] }],
    ["expiresAt", { expiresAt: "2026-01-15T10:00:00Z" }],
    ["expiresAt", { expiresAt: "2027-01-15T10:00:00" }],
    ["expiresAt", { expiresAt: "2027-01-15" }],
    ["expiresAt", { expiresAt: "tomorrow" }],
    ["expiresAt", { expiresAt: 5 }],
  ])("refuses a wrong %s", async (path, change) => {
    const answer = await owner.post(KEYS, { label: "till", scopes: ["all"], ...change });
    expect([answer.refusal, ...answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", path]);
  });

  test("takes a label at its bounds", async () => {
    for (const label of ["x", "ș".repeat(100)]) {
      expect((await create({ label })).answer.body).toMatchObject({ label });
    }
  });

  test("needs owner or admin, and no API key will do", async () => {
    const { key } = await create({ scopes: ["all"] });
    const operator = await bench.member(orgId, "operator");
    const admin = await bench.member(orgId, "admin");
    const body = { label: "n", scopes: ["all"] };
    expect((await operator.client.post(KEYS, body)).refusal).toBe("403 FORBIDDEN");
    expect((await bench.client.as(key).post(KEYS, body)).refusal).toBe("403 FORBIDDEN");
    expect((await bench.client.as(key).get(KEYS)).refusal).toBe("403 FORBIDDEN");
    expect((await operator.client.get(KEYS)).status).toBe(200);
    expect((await admin.client.post(KEYS, body)).status).toBe(201);
    expect((await bench.client.get(KEYS)).refusal).toBe("401 UNAUTHORIZED");
  });
});

describe("using a key", () => {
  test("works in either header", async () => {
    const { key } = await create();
    expect((await withKey(key)).status).toBe(200);
    expect((await bench.client.as(key).get("/api/v1/devices")).status).toBe(200);
  });

  test("is refused when it is malformed, unknown or of another organization", async () => {
    const { key } = await create();
    const other = key.replace(orgId, "0".repeat(12));
    const wrong = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    for (const bad of ["x", "svc_live_", `${key} `.repeat(2), wrong, other, key.toUpperCase()]) {
      expect((await withKey(bad)).refusal).toBe("401 UNAUTHORIZED");
    }
  });

  test("is refused when the scope does not cover the route", async () => {
    const { key } = await create({ scopes: ["receipts"] });
    expect((await withKey(key)).refusal).toBe("403 FORBIDDEN");
  });

  test("ends when it expires, and says so", async () => {
    const { key } = await create({ expiresAt: "2026-01-15T11:00:00Z" });
    bench.clock.advance(3_600_000 - 1);
    expect((await withKey(key)).status).toBe(200);
    bench.clock.advance(1);
    const late = await withKey(key);
    expect(late.refusal).toBe("401 UNAUTHORIZED");
    expect(late.text).toContain("expired");
  });

  test("is noted at most once a minute", async () => {
    const { key, id } = await create();
    const lastUsed = async () => {
      await withKey(key);
      // The writer keeps its order, so an empty operation ends after the note.
      await bench.writer.run(() => {});
      return bench.stores.apiKeys.get(orgId, id)?.lastUsed;
    };
    const start = bench.clock.now();
    expect(await lastUsed()).toBe(start);
    bench.clock.advance(59_999);
    expect(await lastUsed()).toBe(start);
    bench.clock.advance(1);
    expect(await lastUsed()).toBe(start + 60_000);
  });
});

test("a last use that cannot be stored is tried once a minute, whatever comes with the key", async () => {
  const { key } = await create();
  bench.stores.apiKeys.update = () => {
    throw new Error("database or disk is full");
  };
  const tried = async () => {
    expect((await withKey(key)).status).toBe(200);
    await bench.writer.run(() => undefined).catch(() => undefined);
    return bench.lines.filter((line) => line.includes("last use of an API key")).length;
  };
  expect([await tried(), await tried(), await tried()]).toEqual([1, 1, 1]);
  bench.clock.advance(60_000);
  expect(await tried()).toBe(2);
});

describe("changing a key", () => {
  test("renames, deactivates and reactivates it at once", async () => {
    const { key, id } = await create();
    const off = await owner.patch(`${KEYS}/${id}`, { label: "new", active: false });
    expect(off.body).toMatchObject({ id, label: "new", active: false, lastUsed: null });
    const refused = await withKey(key);
    expect(refused.refusal).toBe("401 UNAUTHORIZED");
    expect(refused.text).toContain("inactive");
    await owner.patch(`${KEYS}/${id}`, { active: true });
    expect((await withKey(key)).status).toBe(200);
  });

  test.each([{}, { scopes: ["all"] }])("that changes nothing is refused: %p", async (body) => {
    const { id } = await create();
    expect((await owner.patch(`${KEYS}/${id}`, body)).refusal).toBe("400 VALIDATION_ERROR");
    expect((await owner.patch(`${KEYS}/key_none`, body)).refusal).toBe("404 NOT_FOUND");
  });
});

describe("rotating a key", () => {
  test("ends the old one and begins its successor in one step", async () => {
    const { key, id } = await create({ expiresAt: "2027-01-01T00:00:00.000Z" });
    const rotated = await owner.post(`${KEYS}/${id}/rotate`);
    expect(rotated.status).toBe(201);
    expect(rotated.body).toMatchObject({
      label: "till",
      scopes: ["devices:read"],
      active: true,
      expiresAt: "2027-01-01T00:00:00.000Z",
      rotatedFromId: id,
    });
    expect((await withKey(key)).status).toBe(401);
    expect((await withKey(rotated.field("key"))).status).toBe(200);
    const list = (await owner.get(KEYS)).as(
      Type.Array(
        Type.Object({ id: Type.String(), rotatedToId: Type.Union([Type.String(), Type.Null()]) }),
      ),
    );
    expect(list.map((row) => [row.id, row.rotatedToId])).toEqual([
      [rotated.field("id"), null],
      [id, rotated.field("id")],
    ]);
  });

  test("that has expired is refused: its successor would have expired too", async () => {
    const { id } = await create({ expiresAt: new Date(bench.clock.now() + 1_000).toISOString() });
    bench.clock.advance(1_000);
    const answer = await owner.post(`${KEYS}/${id}/rotate`);
    expect([answer.refusal, answer.text]).toEqual([
      "409 CONFLICT",
      expect.stringContaining("create a new one"),
    ]);
  });

  test("is for good: the old one is renamed, but never lives again", async () => {
    const { key, id } = await create();
    await owner.post(`${KEYS}/${id}/rotate`);
    for (const change of [{ active: true }, { active: true, label: "back" }]) {
      expect((await owner.patch(`${KEYS}/${id}`, change)).refusal).toBe("409 CONFLICT");
    }
    expect((await withKey(key)).refusal).toBe("401 UNAUTHORIZED");
    const renamed = await owner.patch(`${KEYS}/${id}`, { active: false, label: "old" });
    expect(renamed.body).toMatchObject({ label: "old", active: false });
  });

  test("that is inactive already is a conflict, also for the later of two at once", async () => {
    const { id } = await create();
    const both = await Promise.all([1, 2].map(() => owner.post(`${KEYS}/${id}/rotate`)));
    expect(both.map((answer) => answer.refusal).sort()).toEqual(["201", "409 CONFLICT"]);
    expect(bench.stores.apiKeys.countActive(orgId)).toBe(1);
  });
});

describe("revoking a key", () => {
  test("removes it for good", async () => {
    const { key, id } = await create();
    expect((await owner.delete(`${KEYS}/${id}`)).status).toBe(204);
    expect((await withKey(key)).refusal).toBe("401 UNAUTHORIZED");
    expect((await owner.delete(`${KEYS}/${id}`)).refusal).toBe("404 NOT_FOUND");
    expect((await owner.post(`${KEYS}/${id}/rotate`)).refusal).toBe("404 NOT_FOUND");
  });

  test("keeps its name, for whoever sees what it asked for", async () => {
    const { id } = await create({ label: "Till 1" });
    await create({ label: "Till 2" });
    await owner.patch(`${KEYS}/${id}`, { label: "Till by the door" });
    await owner.delete(`${KEYS}/${id}`);
    const { client: cashier } = await bench.member(orgId, "operator");
    expect((await cashier.get(`${KEYS}/revoked`)).body).toEqual([
      { id, label: "Till by the door", revokedAt: "2026-01-15T10:00:00.000Z" },
    ]);
    const { client: stranger } = await bench.owner("other@example.com");
    expect((await stranger.get(`${KEYS}/revoked`)).body).toEqual([]);
  });

  test("lets a request end that it had let in", async () => {
    const shop = await createCommandsBench();
    const key = await shop.makeKey(["commands"]);
    const till = shop.owner.as(key);
    const path = `/api/v1/commands/${await shop.queued()}`;
    const waiting = till.get(`${path}?wait=10`);
    await shop.atRest();
    const [row] = shop.stores.apiKeys.list(shop.orgId).filter((one) => key.endsWith(one.last4));
    expect((await shop.owner.delete(`${KEYS}/${row?.id}`)).status).toBe(204);
    await shop.clock.advanceAsync(10_000);
    expect((await waiting).status).toBe(200);
    expect((await till.get(path)).refusal).toBe("401 UNAUTHORIZED");
    shop.close();
  });

  test("of another organization is as if there were none", async () => {
    const { id } = await create();
    const { client: stranger } = await bench.owner("other@example.com");
    expect((await stranger.delete(`${KEYS}/${id}`)).refusal).toBe("404 NOT_FOUND");
    expect((await stranger.patch(`${KEYS}/${id}`, { active: false })).status).toBe(404);
    expect((await stranger.get(KEYS)).body).toEqual([]);
  });
});

test("every change of a key is in the audit log", async () => {
  const { id } = await create();
  await owner.patch(`${KEYS}/${id}`, { active: true });
  await owner.post(`${KEYS}/${id}/rotate`);
  await owner.delete(`${KEYS}/${id}`);
  const actions = bench.stores.audit.list(orgId, 4).map((entry) => entry.action);
  expect(actions).toEqual([
    "api_key.revoked",
    "api_key.rotated",
    "api_key.updated",
    "api_key.created",
  ]);
});
