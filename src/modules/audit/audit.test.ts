import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

let bench: ApiBench;
beforeEach(() => {
  bench = createApiBench({ registration: "open", trustProxy: true });
});
afterEach(() => bench.close());

const Page = Type.Object({
  entries: Type.Array(Type.Object({ id: Type.String(), resource: Type.String() })),
  hasMore: Type.Boolean(),
  lastId: Type.String(),
});

/** Adds entries with the resources r0, r1, ... */
const entries = (orgId: string, count: number) =>
  bench.writer.run(() => {
    for (let index = 0; index < count; index += 1) {
      bench.stores.audit.append({
        ...{ orgId, at: bench.clock.now(), actor: "box", action: "device.updated" },
        ...{ resource: `r${index}`, details: null },
      });
    }
  });

describe("the audit log", () => {
  test("shows who did what to which resource, from where", async () => {
    const { client, orgId } = await bench.owner();
    const userId = bench.stores.users.findByEmail("owner@example.com")?.id;
    const from = client.with({ "x-forwarded-for": "10.9.9.9, 2001:db8::7" });
    await from.put("/api/v1/billing/plan", { plan: "pro" });
    const key = await client
      .with({ "x-forwarded-for": "::ffff:10.0.0.5" })
      .post("/api/v1/org/api-keys", { label: "till", scopes: ["devices"] });
    const till = bench.client.as(key.field("key")).with({ "x-forwarded-for": "10.0.0.6:4711" });
    const device = await till.post("/api/v1/devices", {
      ...{ name: "Bar", driver: "vendorA.isl", transport: "tcp", locationId: "s1" },
      connectionParams: { host: "10.0.0.9", port: 9100 },
    });
    const { body } = await client.get("/api/v1/audit?limit=3");
    const at = new Date(bench.clock.now()).toISOString();
    expect(body).toEqual({
      entries: [
        {
          ...{ id: expect.stringMatching(/^\d+$/), createdAt: at, actor: `key:${key.field("id")}` },
          ...{ action: "device.created", resource: device.field("id"), address: "10.0.0.6" },
          details: { name: "Bar", driver: "vendorA.isl" },
        },
        {
          ...{ id: expect.any(String), createdAt: at, actor: `user:${userId}` },
          ...{ action: "api_key.created", resource: key.field("id"), address: "10.0.0.5" },
          details: { label: "till", scopes: ["devices"] },
        },
        {
          ...{ id: expect.any(String), createdAt: at, actor: `user:${userId}` },
          ...{ action: "plan.changed", resource: orgId, address: "2001:db8::7" },
          details: { from: "free", to: "pro" },
        },
      ],
      hasMore: expect.any(Boolean),
      lastId: expect.any(String),
    });
  });

  test("comes in pages, newest first or oldest first, without gaps", async () => {
    const { client, orgId } = await bench.owner();
    const before = bench.stores.audit.list(orgId, 100).length;
    await entries(orgId, 5);
    const read = async (sortOrder: string) => {
      const seen: string[] = [];
      let startAfter = "";
      for (;;) {
        const path = `/api/v1/audit?limit=2&sortOrder=${sortOrder}&startAfter=${startAfter}`;
        const page = (await client.get(path)).as(Page);
        seen.push(...page.entries.map(({ resource }) => resource));
        expect(page.lastId).toBe(page.entries.at(-1)?.id ?? "");
        if (!page.hasMore) return seen;
        expect(page.entries).toHaveLength(2);
        startAfter = page.lastId;
      }
    };
    const names = ["r0", "r1", "r2", "r3", "r4"];
    expect((await read("asc")).slice(before)).toEqual(names);
    expect((await read("desc")).slice(0, 5)).toEqual(names.toReversed());
  });

  test("shows what was done to one resource, page by page", async () => {
    const { client, orgId } = await bench.owner();
    await entries(orgId, 3);
    await entries(orgId, 2);
    const read = async (search: string) =>
      (await client.get(`/api/v1/audit?resource=r1${search}`)).as(Page);
    const newest = await read("&limit=1");
    expect(newest).toMatchObject({ entries: [{ resource: "r1" }], hasMore: true });
    const older = await read(`&limit=1&startAfter=${newest.lastId}`);
    expect(older).toMatchObject({ entries: [{ resource: "r1" }], hasMore: false });
    expect(older.lastId).not.toBe(newest.lastId);
    expect((await read("&sortOrder=asc")).entries.map(({ id }) => id)).toEqual([
      older.lastId,
      newest.lastId,
    ]);
    const other = await bench.owner("other@example.com");
    const theirs = await other.client.get("/api/v1/audit?resource=r1");
    expect(theirs.as(Page).entries).toEqual([]);
  });

  test("shows what somebody did, and what was done in one way", async () => {
    const { client, orgId } = await bench.owner();
    await entries(orgId, 3);
    const userId = bench.stores.users.findByEmail("owner@example.com")?.id;
    await client.patch("/api/v1/org", { name: "Corner" });
    const read = async (search: string) =>
      (await client.get(`/api/v1/audit?${search}`)).as(Page).entries.map((one) => one.resource);
    expect(await read("actor=box&limit=2")).toEqual(["r2", "r1"]);
    for (const actor of [`user:${userId}`, userId]) {
      expect(await read(`actor=${actor}&action=organization.updated`)).toEqual([orgId]);
    }
    const keyId = "key_01J8Z3N5Q7R9T1V3X5Z7B9D1F3";
    const byKey = { resource: "r9", details: null, actor: `key:${keyId}` } as const;
    await bench.writer.run(() =>
      bench.stores.audit.append({ ...byKey, orgId, at: 0, action: "device.updated" }),
    );
    expect(await read(`actor=${keyId}`)).toEqual(["r9"]);
    expect(await read("action=device.updated&resource=r1")).toEqual(["r1"]);
    expect(await read("actor=box&action=organization.updated")).toEqual([]);
    const other = await bench.owner("other@example.com");
    const theirs = await other.client.get("/api/v1/audit?actor=box");
    expect(theirs.as(Page).entries).toEqual([]);
  });

  describe("of a period", () => {
    /** What is to be seen of a search. */
    const reader = async () => {
      const { client, orgId } = await bench.owner();
      return {
        orgId,
        async read(search: string): Promise<string[]> {
          const seen: string[] = [];
          let startAfter = "";
          for (;;) {
            const path = `/api/v1/audit?${search}&startAfter=${startAfter}`;
            const page = (await client.get(path)).as(Page);
            seen.push(...page.entries.map(({ resource }) => resource));
            if (!page.hasMore) return seen;
            startAfter = page.lastId;
          }
        },
      };
    };
    const add = (orgId: string, made: readonly (readonly [string, string, string?])[]) =>
      bench.writer.run(() => {
        for (const [resource, at, actor = "box"] of made) {
          bench.stores.audit.append({
            ...{ orgId, at: Date.parse(at), actor, action: "device.updated" },
            ...{ resource, details: null },
          });
        }
      });

    test("has what was made in it, from its first instant on, without its last", async () => {
      const { orgId, read } = await reader();
      await add(orgId, [
        ["before", "2001-02-28T23:59:59.999Z"],
        ["first", "2001-03-01T00:00:00Z"],
        ["within", "2001-03-09T12:00:00Z", "gateway"],
        ["behind", "2001-04-01T00:00:00Z"],
      ]);
      const march = "from=2001-03-01T00:00:00Z&to=2001-04-01T02:00:00%2B02:00";
      for (const limit of [1, 50]) {
        expect(await read(`${march}&limit=${limit}`)).toEqual(["within", "first"]);
        expect(await read(`${march}&limit=${limit}&sortOrder=asc`)).toEqual(["first", "within"]);
      }
      expect(await read("to=2001-03-01T00:00:00Z")).toEqual(["before"]);
      expect((await read("from=2001-03-09T12:00:00Z&sortOrder=asc")).slice(0, 2)).toEqual([
        ...["within", "behind"],
      ]);
      expect(await read(`${march}&actor=box`)).toEqual(["first"]);
      expect(await read(`${march}&resource=within&action=device.updated`)).toEqual(["within"]);
      expect(await read(`${march}&action=plan.changed`)).toEqual([]);
      const other = await bench.owner("other@example.com");
      expect((await other.client.get(`/api/v1/audit?${march}`)).as(Page).entries).toEqual([]);
    });

    test("is in the order of the clock where that was set, and all else in the order made", async () => {
      const { orgId, read } = await reader();
      const user = bench.stores.users.findByEmail("owner@example.com")?.id ?? "";
      await add(orgId, [
        ["late", "2001-03-09T12:00:00Z", user],
        ["early", "2001-03-02T12:00:00Z", `user:${user}`],
      ]);
      const march = "from=2001-03-01T00:00:00Z&to=2001-04-01T00:00:00Z";
      for (const search of [march, `${march}&limit=1`, `${march}&actor=${user}&limit=1`]) {
        expect(await read(search)).toEqual(["late", "early"]);
      }
      expect((await read("action=device.updated")).slice(0, 2)).toEqual(["early", "late"]);
    });

    test("finds the few of somebody, and those of many, among many others", async () => {
      const { orgId, read } = await reader();
      const minute = (index: number) => new Date(Date.UTC(2001, 2, 1, 0, index)).toISOString();
      const often = Array.from({ length: 2_500 }, (_, index) => {
        return ["often", minute(index), index % 2 ? "gateway" : "box"] as const;
      });
      await add(orgId, [["seldom", minute(1), "nobody"], ...often]);
      const march = "from=2001-03-01T00:00:00Z&to=2001-04-01T00:00:00Z&limit=100";
      expect(await read(`${march}&actor=nobody`)).toEqual(["seldom"]);
      expect(await read(`${march}&resource=often&actor=box`)).toHaveLength(1_250);
      expect(await read(`${march}&resource=often&sortOrder=asc`)).toHaveLength(2_500);
    });
  });

  test("is the own organization's alone, and an empty page has an empty lastId", async () => {
    const shop = await bench.owner();
    const other = await bench.owner("other@example.com");
    await entries(shop.orgId, 3);
    const mine = (await shop.client.get("/api/v1/audit")).as(Page);
    const theirs = (await other.client.get("/api/v1/audit")).as(Page);
    const resources = theirs.entries.map(({ resource }) => resource);
    expect(resources).not.toContain("r0");
    const foreign = await other.client.get(`/api/v1/audit?startAfter=${mine.lastId}`);
    expect([foreign.refusal, foreign.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["startAfter"]]);
    const last = (await shop.client.get("/api/v1/audit?sortOrder=asc&limit=100")).as(Page).lastId;
    const beyond = await shop.client.get(`/api/v1/audit?sortOrder=asc&startAfter=${last}`);
    expect(beyond.body).toEqual({ entries: [], hasMore: false, lastId: "" });
  });

  test.each([
    ["limit", "limit=0"],
    ["limit", "limit=101"],
    ["sortBy", "sortBy=actor"],
    ["actor", "actor="],
    ["action", "action=device.eaten"],
    ["from", "from=2001-03-01"],
    ["from", "from=2001-03-02T00:00:00Z&to=2001-03-01T00:00:00Z"],
    ["startAfter", "startAfter=none"],
    ["startAfter", "startAfter=99999999"],
  ])("refuses a wrong %s: %s", async (path, search) => {
    const { client } = await bench.owner();
    const answer = await client.get(`/api/v1/audit?${search}`);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
  });

  test("is for owners and admins", async () => {
    const { client, orgId } = await bench.owner();
    await bench.setPlan(orgId, "pro");
    const admin = await bench.member(orgId, "admin");
    expect((await admin.client.get("/api/v1/audit")).status).toBe(200);
    const operator = await bench.member(orgId, "operator");
    expect((await operator.client.get("/api/v1/audit?limit=0")).refusal).toBe("403 FORBIDDEN");
    const key = await client.post("/api/v1/org/api-keys", { label: "till", scopes: ["all"] });
    const till = bench.client.as(key.field("key"));
    expect((await till.get("/api/v1/audit")).refusal).toBe("403 FORBIDDEN");
    expect((await bench.client.get("/api/v1/audit")).refusal).toBe("401 UNAUTHORIZED");
  });
});
