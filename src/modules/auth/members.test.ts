import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { ApiAnswer, ApiClient } from "../../http/testing/api-client.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

const MEMBERS = "/api/v1/org/members";
const PASSWORD = "a password of mine";
const DAY_MS = 86_400_000;

let bench: ApiBench;
let owner: ApiClient;
let orgId: string;
let ownerId: string;
beforeEach(async () => {
  bench = createApiBench({ registration: "open" });
  ({ client: owner, orgId } = await bench.owner());
  ownerId = bench.stores.users.findByEmail("owner@example.com")?.id ?? "";
});
afterEach(() => bench.close());

const idOf = (answer: ApiAnswer): string =>
  answer.as(Type.Object({ member: Type.Object({ id: Type.String() }) })).member.id;
const add = (body: object = {}, by = owner) =>
  by.post(MEMBERS, { email: "bo@example.com", name: "Bo", role: "operator", ...body });
const login = (email: string, password = PASSWORD) =>
  bench.client.post("/api/v1/auth/login", { email, password });
const me = (client: ApiClient) => client.get("/api/v1/auth/me");
const newest = () => bench.stores.audit.list(orgId, 1)[0];

/** A member who has logged in. */
async function loggedIn(role: string, email = `${role}@example.com`) {
  const id = idOf(await add({ email, role, password: PASSWORD }));
  const answer = await login(email);
  return {
    id,
    client: bench.client.as(answer.field("accessToken")),
    refreshToken: answer.field("refreshToken"),
  };
}

describe("adding a member", () => {
  test("with a password lets them log in", async () => {
    const answer = await add({ email: " Bo@Example.com ", password: PASSWORD });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        member: {
          ...{ id: expect.stringMatching(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/) },
          ...{ email: "bo@example.com", name: "Bo", role: "operator", active: true },
          ...{ createdAt: new Date(bench.clock.now()).toISOString(), lastLoginAt: null },
        },
      },
    ]);
    expect((await login("bo@example.com")).status).toBe(200);
    expect(newest()).toMatchObject({
      ...{ actor: `user:${ownerId}`, action: "user.added", resource: idOf(answer) },
      details: { email: "bo@example.com", role: "operator" },
    });
    expect(JSON.stringify(bench.stores.audit.list(orgId, 100))).not.toContain(PASSWORD);
  });

  test("without one gives a token that sets it, once, within 7 days", async () => {
    const token = (await add()).field("setupToken");
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await login("bo@example.com", "")).status).toBe(400);
    expect((await login("bo@example.com")).refusal).toBe("401 UNAUTHORIZED");
    bench.clock.advance(7 * DAY_MS - 1);
    const reset = (password: string) =>
      bench.client.post("/api/v1/auth/reset-password", { token, password });
    expect((await reset(PASSWORD)).status).toBe(204);
    expect((await login("bo@example.com")).status).toBe(200);
    expect((await reset("another password")).refusal).toBe("401 UNAUTHORIZED");
    expect(bench.lines.join("")).not.toContain(token);
    expect(JSON.stringify(bench.stores.audit.list(orgId, 100))).not.toContain(token);
    expect((await owner.get(MEMBERS)).text).not.toContain(token);
  });

  test("gives a token that is of no use after 7 days", async () => {
    const token = (await add()).field("setupToken");
    bench.clock.advance(7 * DAY_MS);
    const body = { token, password: PASSWORD };
    const late = await bench.client.post("/api/v1/auth/reset-password", body);
    expect(late.refusal).toBe("401 UNAUTHORIZED");
  });

  test("is refused for an address that is taken, in any organization", async () => {
    await add();
    expect((await add({ email: "BO@example.com" })).refusal).toBe("409 CONFLICT");
    const other = await bench.owner("other@example.com");
    expect((await add({}, other.client)).refusal).toBe("409 CONFLICT");
  });

  test.each([
    ["email", { email: "nobody" }],
    ["email", { email: undefined }],
    ["email", { email: "<bo@example.com>" }],
    ["email", { email: "bo@example.com>" }],
    ["email", { email: "bo,ana@example.com" }],
    ["email", { email: ".bo@example.com" }],
    ["email", { email: "bo@example..com" }],
    ["email", { email: "bo\u200b@example.com" }],
    ["email", { email: "bo@example.com\u2060" }],
    ["email", { email: "b\u0000o@example.com" }],
    ["name", { name: "" }],
    ["name", { name: "x".repeat(256) }],
    ["role", { role: "manager" }],
    ["role", { role: undefined }],
    ["password", { password: "too short" }],
    ["password", { password: "x".repeat(129) }],
    ["password", { password: null }],
  ])("refuses a wrong %s: %j", async (path, change) => {
    const answer = await add(change);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
    expect(bench.stores.users.list(orgId)).toHaveLength(1);
  });

  test("gives no role above the own one", async () => {
    const admin = await loggedIn("admin");
    expect((await add({ role: "owner" }, admin.client)).refusal).toBe("403 FORBIDDEN");
    expect((await add({ role: "admin" }, admin.client)).status).toBe(201);
    expect((await add({ role: "owner", email: "o2@example.com" })).status).toBe(201);
  });
});

describe("changing a member", () => {
  test("renames, and says so in the audit log", async () => {
    const { id, client } = await loggedIn("operator");
    const answer = await owner.patch(`${MEMBERS}/${id}`, { name: "Barbara" });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { member: { id, name: "Barbara", role: "operator", active: true } },
    ]);
    expect((await me(client)).status).toBe(200);
    expect(newest()).toMatchObject({ action: "user.updated", resource: id });
  });

  test("of access is told in the audit log, as it was given or taken", async () => {
    const { id } = await loggedIn("operator");
    await owner.patch(`${MEMBERS}/${id}`, { active: false });
    expect(newest()).toMatchObject({ action: "user.deactivated", resource: id });
    await owner.patch(`${MEMBERS}/${id}`, { active: true });
    expect(newest()).toMatchObject({ action: "user.activated", resource: id });
  });

  test("of role counts at once: whoever has it logs in anew", async () => {
    const { id, client, refreshToken } = await loggedIn("admin");
    expect((await client.get(MEMBERS)).status).toBe(200);
    expect((await owner.patch(`${MEMBERS}/${id}`, { role: "operator" })).status).toBe(200);
    expect((await me(client)).refusal).toBe("401 UNAUTHORIZED");
    const refreshed = await bench.client.post("/api/v1/auth/refresh", { refreshToken });
    expect(refreshed.refusal).toBe("401 UNAUTHORIZED");
    const again = bench.client.as((await login("admin@example.com")).field("accessToken"));
    expect((await again.get(MEMBERS)).refusal).toBe("403 FORBIDDEN");
  });

  test("of role leaves alone whoever keeps theirs, and a token that sets the first password", async () => {
    const { id, client } = await loggedIn("operator");
    expect((await owner.patch(`${MEMBERS}/${id}`, { role: "operator" })).status).toBe(200);
    expect((await me(client)).status).toBe(200);
    const added = await add();
    await owner.patch(`${MEMBERS}/${idOf(added)}`, { role: "admin" });
    const body = { token: added.field("setupToken"), password: PASSWORD };
    expect((await bench.client.post("/api/v1/auth/reset-password", body)).status).toBe(204);
  });

  test("deactivates at once and for every way in, until they are active again", async () => {
    const { id, client, refreshToken } = await loggedIn("operator");
    const setup = await add();
    for (const userId of [id, idOf(setup)]) {
      const answer = await owner.patch(`${MEMBERS}/${userId}`, { active: false });
      expect(answer.body).toMatchObject({ member: { active: false } });
    }
    expect((await me(client)).refusal).toBe("401 UNAUTHORIZED");
    expect((await login("operator@example.com")).refusal).toBe("401 UNAUTHORIZED");
    const refreshed = await bench.client.post("/api/v1/auth/refresh", { refreshToken });
    expect(refreshed.refusal).toBe("401 UNAUTHORIZED");
    for (const userId of [id, idOf(setup)]) {
      await owner.patch(`${MEMBERS}/${userId}`, { active: true });
    }
    expect((await me(client)).refusal).toBe("401 UNAUTHORIZED");
    expect((await login("operator@example.com")).status).toBe(200);
    const body = { token: setup.field("setupToken"), password: PASSWORD };
    const reset = await bench.client.post("/api/v1/auth/reset-password", body);
    expect(reset.refusal).toBe("401 UNAUTHORIZED");
  });

  test("raises nobody above the own role, and lets nobody manage those above them", async () => {
    const admin = await loggedIn("admin");
    const operator = await loggedIn("operator");
    const second = await loggedIn("owner", "o2@example.com");
    const by = admin.client;
    for (const id of [operator.id, admin.id]) {
      expect((await by.patch(`${MEMBERS}/${id}`, { role: "owner" })).refusal).toBe("403 FORBIDDEN");
    }
    for (const body of [{ role: "admin" }, { active: false }, { name: "X" }, {}]) {
      const answer = await by.patch(`${MEMBERS}/${second.id}`, body);
      expect(answer.refusal).toBe("403 FORBIDDEN");
    }
    expect((await by.delete(`${MEMBERS}/${second.id}`)).refusal).toBe("403 FORBIDDEN");
    expect((await by.patch(`${MEMBERS}/${operator.id}`, { role: "admin" })).status).toBe(200);
    expect((await owner.patch(`${MEMBERS}/${admin.id}`, { role: "owner" })).status).toBe(200);
  });

  test.each([
    [{}, ""],
    [{ email: "new@example.com" }, ""],
    [{ name: "" }, "name"],
    [{ role: "boss" }, "role"],
    [{ active: "no" }, "active"],
  ])("refuses %j", async (body, path) => {
    const id = idOf(await add());
    const answer = await owner.patch(`${MEMBERS}/${id}`, body);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
  });
});

describe("removing a member", () => {
  test("ends their sessions, and frees the address", async () => {
    const { id, client } = await loggedIn("operator");
    expect((await owner.delete(`${MEMBERS}/${id}`)).status).toBe(204);
    expect((await me(client)).refusal).toBe("401 UNAUTHORIZED");
    expect((await login("operator@example.com")).refusal).toBe("401 UNAUTHORIZED");
    expect((await owner.delete(`${MEMBERS}/${id}`)).refusal).toBe("404 NOT_FOUND");
    expect(newest()).toMatchObject({ action: "user.removed", resource: id });
    expect((await add({ email: "operator@example.com" })).status).toBe(201);
  });
});

describe("the last active owner", () => {
  test("can be neither lowered, deactivated nor removed, nor can they do so themselves", async () => {
    const path = `${MEMBERS}/${ownerId}`;
    const idle = idOf(await add({ role: "owner" }));
    await owner.patch(`${MEMBERS}/${idle}`, { active: false });
    for (const change of [{ role: "admin" }, { active: false }, { role: "operator", name: "X" }]) {
      expect((await owner.patch(path, change)).refusal).toBe("409 CONFLICT");
    }
    expect((await owner.delete(path)).refusal).toBe("409 CONFLICT");
    expect((await me(owner)).body).toMatchObject({ user: { role: "owner", name: "Ana" } });
    expect((await owner.patch(path, { name: "Anna", role: "owner" })).status).toBe(200);
    expect((await owner.delete(`${MEMBERS}/${idle}`)).status).toBe(204);
  });

  test("is whoever is left when two owners lower each other at once", async () => {
    const second = await loggedIn("owner", "o2@example.com");
    const answers = await Promise.all([
      owner.patch(`${MEMBERS}/${second.id}`, { role: "operator" }),
      second.client.patch(`${MEMBERS}/${ownerId}`, { role: "operator" }),
    ]);
    // Whoever comes second is no owner any more, and is logged out by then or not.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const owners = bench.stores.users.list(orgId).filter(({ role }) => role === "owner");
    expect(owners).toHaveLength(1);
  });

  test("may not go while the other one has never set a password, who may", async () => {
    const invited = idOf(
      await add({ role: "owner", email: "o2@example.com", password: undefined }),
    );
    expect((await owner.delete(`${MEMBERS}/${ownerId}`)).refusal).toBe("409 CONFLICT");
    const lowered = await owner.patch(`${MEMBERS}/${ownerId}`, { role: "admin" });
    expect([lowered.refusal, lowered.text]).toEqual([
      "409 CONFLICT",
      expect.stringContaining("who can log in"),
    ]);
    expect(bench.stores.users.hasOwner(orgId)).toBe(true);
    expect((await owner.delete(`${MEMBERS}/${invited}`)).status).toBe(204);
  });

  test("may go once there is another one", async () => {
    const second = await loggedIn("owner", "o2@example.com");
    expect((await owner.delete(`${MEMBERS}/${ownerId}`)).status).toBe(204);
    expect((await me(owner)).refusal).toBe("401 UNAUTHORIZED");
    const { body } = await second.client.get(MEMBERS);
    expect(body).toMatchObject({ members: [{ id: second.id }] });
  });
});

describe("a code for a member's password", () => {
  const codeFor = (id: string, by = owner) => by.post(`${MEMBERS}/${id}/code`);
  const reset = (token: string) =>
    bench.client.post("/api/v1/auth/reset-password", { token, password: "a password of another" });

  test("takes the place of the first one, and lasts as long", async () => {
    const added = await add();
    const code = await codeFor(idOf(added));
    const expiresAt = new Date(bench.clock.now() + 7 * DAY_MS).toISOString();
    expect([code.status, code.body]).toMatchObject([201, { expiresAt }]);
    expect((await reset(added.field("setupToken"))).refusal).toBe("401 UNAUTHORIZED");
    expect((await reset(code.field("setupToken"))).status).toBe(204);
    expect((await login("bo@example.com", "a password of another")).status).toBe(200);
  });

  test("lasts an hour for who has forgotten one, whose sessions go on until it is used", async () => {
    const { id, client } = await loggedIn("operator");
    const code = await codeFor(id);
    const expiresAt = new Date(bench.clock.now() + 3_600_000).toISOString();
    expect(code.body).toMatchObject({ expiresAt });
    expect(newest()).toMatchObject({ action: "user.reset_code_issued", resource: id });
    expect((await me(client)).status).toBe(200);
    expect((await reset(code.field("setupToken"))).status).toBe(204);
    expect((await me(client)).refusal).toBe("401 UNAUTHORIZED");
  });

  test("is for nobody above the caller, for nobody inactive, and not for oneself", async () => {
    const { id, client: admin } = await loggedIn("admin");
    expect((await codeFor(ownerId, admin)).refusal).toBe("403 FORBIDDEN");
    expect((await codeFor(ownerId)).refusal).toBe("409 CONFLICT");
    await owner.patch(`${MEMBERS}/${id}`, { active: false });
    expect((await codeFor(id)).refusal).toBe("409 CONFLICT");
    expect((await codeFor("usr_none")).refusal).toBe("404 NOT_FOUND");
  });
});

describe("members", () => {
  test("are listed in the order in which they were added", async () => {
    bench.clock.advance(1_000);
    const id = idOf(await add({ password: PASSWORD }));
    bench.clock.advance(1_000);
    await login("bo@example.com");
    const answer = await owner.get(MEMBERS);
    expect(answer.body).toMatchObject({
      members: [
        { id: ownerId, email: "owner@example.com", name: "Ana", role: "owner", active: true },
        { id, lastLoginAt: new Date(bench.clock.now()).toISOString() },
      ],
    });
    expect(answer.text).not.toMatch(/password|hash/i);
  });

  test("of another organization do not exist", async () => {
    const other = await bench.owner("other@example.com");
    const id = idOf(await add());
    const listed = await other.client.get(MEMBERS);
    expect(listed.text).not.toContain(id);
    // 404 comes before the body is looked at.
    expect((await other.client.patch(`${MEMBERS}/${id}`, {})).refusal).toBe("404 NOT_FOUND");
    expect((await other.client.delete(`${MEMBERS}/${id}`)).refusal).toBe("404 NOT_FOUND");
    expect((await owner.patch(`${MEMBERS}/usr_none`, {})).refusal).toBe("404 NOT_FOUND");
  });

  test("are for owners and admins alone", async () => {
    await bench.setPlan(orgId, "pro");
    const key = await owner.post("/api/v1/org/api-keys", { label: "till", scopes: ["all"] });
    const { client: operator } = await loggedIn("operator");
    const { client: admin } = await loggedIn("admin");
    const till = bench.client.as(key.field("key"));
    for (const [method, path] of [
      ["GET", MEMBERS],
      ["POST", MEMBERS],
      ["PATCH", `${MEMBERS}/none`],
      ["DELETE", `${MEMBERS}/none`],
    ] as const) {
      for (const client of [operator, till]) {
        expect((await client.call(method, path)).refusal).toBe("403 FORBIDDEN");
      }
      expect((await bench.client.call(method, path)).refusal).toBe("401 UNAUTHORIZED");
      expect((await admin.call(method, path)).refusal).not.toStartWith("403");
    }
  });
});
