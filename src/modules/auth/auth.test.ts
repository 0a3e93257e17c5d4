import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { ApiAnswer } from "../../http/testing/api-client.ts";
import { createCommandsBench } from "../commands/testing/commands-bench.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

const TRACES = ["devices", "users", "commands", "receipts", "audit_entries"];

let bench: ApiBench;
beforeEach(() => {
  bench = createApiBench();
});
afterEach(() => bench.close());

const registration = {
  email: " Ana@Example.com ",
  password: "correct horse battery",
  name: "Ana",
  organizationName: "Shop",
};
const register = (change: object = {}) =>
  bench.client.post("/api/v1/auth/register", {
    ...registration,
    setupCode: bench.setupCode,
    ...change,
  });
const login = (password: string, email = "owner@example.com") =>
  bench.client.post("/api/v1/auth/login", { email, password });
const refresh = (refreshToken: string) =>
  bench.client.post("/api/v1/auth/refresh", { refreshToken });

describe("registering", () => {
  test("makes an organization with its owner, logged in", async () => {
    const answer = await register();
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      tokenType: "Bearer",
      expiresIn: 900,
      user: {
        id: expect.stringMatching(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/),
        email: "ana@example.com",
        role: "owner",
        active: true,
        lastLoginAt: "2026-01-15T10:00:00.000Z",
      },
      organization: {
        id: expect.stringMatching(/^[0-9a-z]{12}$/),
        name: "Shop",
        currency: "RON",
        plan: "free",
      },
    });
    expect(answer.text).not.toContain("passwordHash");
    const me = await bench.client.as(answer.field("accessToken")).get("/api/v1/auth/me");
    expect(me.body).toMatchObject({ user: { email: "ana@example.com" } });
    const user = bench.stores.users.findByEmail("ana@example.com");
    expect(bench.stores.audit.list(user?.orgId ?? "", 10)).toMatchObject([
      { actor: `user:${user?.id}`, action: "organization.registered", resource: user?.orgId },
    ]);
  });

  test("is closed once the first organization exists", async () => {
    await bench.owner();
    const second = await register();
    expect(second.refusal).toBe("403 FORBIDDEN");
  });

  test.each(TRACES)("is closed where the shop is lost, and its %s are left", async (table) => {
    const shop = await createCommandsBench({ registration: "first" });
    try {
      const id = await shop.queued();
      await shop.finish(id, { success: true, fiscalId: "1" });
      const { sqlite } = shop.database;
      sqlite.pragma("foreign_keys = OFF");
      for (const other of TRACES.filter((one) => one !== table))
        sqlite.exec(`DELETE FROM ${other}`);
      sqlite.exec("DELETE FROM organizations");
      const answer = await shop.client.post("/api/v1/auth/register", {
        ...registration,
        setupCode: shop.setupCode,
      });
      expect([answer.refusal, answer.text]).toEqual([
        "403 FORBIDDEN",
        expect.stringContaining("fiscald repair makes it anew"),
      ]);
      const asked = await shop.client.get("/api/v1/auth/registration");
      expect(asked.body).toEqual({ open: false, first: false, needsSetupCode: false });
      const login = { email: "owner@example.com", password: registration.password };
      const refused = await shop.client.post("/api/v1/auth/login", login);
      expect([refused.refusal, refused.text]).toEqual([
        "403 FORBIDDEN",
        expect.stringContaining("fiscald repair makes it anew"),
      ]);
    } finally {
      shop.close();
    }
  });

  test("is announced, with what it takes", async () => {
    const ask = () => bench.client.get("/api/v1/auth/registration");
    expect((await ask()).body).toEqual({ open: true, first: true, needsSetupCode: true });
    await bench.owner();
    expect((await ask()).body).toEqual({ open: false, first: false, needsSetupCode: false });
  });

  test("needs the set-up code from whoever is not at the box", async () => {
    expect(bench.setupCode).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
    for (const setupCode of [undefined, "", "0000-0000-0000", `${bench.setupCode}0`]) {
      const answer = await register({ setupCode });
      expect(answer.refusal).toBe("403 FORBIDDEN");
      expect(answer.text).toContain("fiscald setup --code");
    }
    const typed = bench.setupCode.toLowerCase().replaceAll("-", " ");
    expect((await register({ setupCode: typed })).status).toBe(201);
  });

  test("lets exactly one of two first organizations in", async () => {
    const both = await Promise.all(
      ["a@example.com", "b@example.com"].map((email) => register({ email })),
    );
    expect(both.map((answer) => answer.status).sort()).toEqual([201, 403]);
    expect(bench.stores.organizations.list()).toHaveLength(1);
  });

  test("stays open where it is configured so, but not for an address that is taken", async () => {
    bench.close();
    bench = createApiBench({ registration: "open" });
    expect((await register({ setupCode: undefined })).status).toBe(201);
    const same = await register();
    expect(same.refusal).toBe("409 CONFLICT");
    const other = await register({ email: "other@example.com" });
    expect(other.status).toBe(201);
    expect(bench.stores.organizations.list()).toHaveLength(2);
  });

  test("is of no page from elsewhere, also where anybody may", async () => {
    bench.close();
    bench = createApiBench({ registration: "open" });
    expect((await register()).status).toBe(201);
    const second = { ...registration, email: "other@example.com" };
    for (const headers of [
      { host: "evil.example" },
      { host: "evil.example:8080", origin: "http://evil.example:8080" },
      { origin: "https://evil.example" },
    ]) {
      const answer = await bench.client.post("/api/v1/auth/register", second, { headers });
      expect([answer.refusal, answer.text]).toEqual([
        "403 FORBIDDEN",
        expect.stringContaining("http.corsOrigins"),
      ]);
    }
    expect(bench.stores.organizations.list()).toHaveLength(1);
  });

  test("takes a password at its bounds", async () => {
    bench.close();
    bench = createApiBench({ registration: "open" });
    for (const length of [10, 128]) {
      const email = `${length}@example.com`;
      const answer = await register({ email, password: "x".repeat(length) });
      expect([length, answer.status]).toEqual([length, 201]);
    }
  });

  test.each([
    ["password", { password: "too short" }],
    ["password", { password: "x".repeat(129) }],
    ["email", { email: "no address" }],
    ["email", { email: "<ana@example.com>" }],
    ["name", { name: "" }],
    ["currency", { currency: "lei" }],
    ["timezone", { timezone: "Europe/Atlantis" }],
  ])("refuses a wrong %s", async (path, change) => {
    const answer = await register(change);
    expect(answer.refusal).toBe("400 VALIDATION_ERROR");
    expect(answer.issuePaths).toEqual([path]);
    expect(answer.text).not.toContain("too short");
  });
});

describe("logging in", () => {
  test("takes the address in any case and notes the time", async () => {
    const { password } = await bench.owner();
    bench.clock.advance(60_000);
    const answer = await login(password, "OWNER@example.com ");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ user: { lastLoginAt: "2026-01-15T10:01:00.000Z" } });
  });

  test("costs an unknown address one comparison with a password's hash, as any other", async () => {
    const { password } = await bench.owner();
    const compared: number[] = [];
    for (const email of ["owner@example.com", "nobody@example.com"]) {
      const before = bench.comparisons();
      await login(`${password}!`, email);
      compared.push(bench.comparisons() - before);
    }
    expect(compared).toEqual([1, 1]);
  });

  test("is refused alike for a wrong password, an unknown address and an inactive user", async () => {
    const { password, orgId } = await bench.owner();
    const wrong = await login("wrong password");
    const unknown = await login(password, "nobody@example.com");
    const userId = bench.stores.users.findByEmail("owner@example.com")?.id ?? "";
    await bench.writer.run(() =>
      bench.stores.users.setActive(orgId, userId, { active: false, now: bench.clock.now() }),
    );
    const inactive = await login(password);
    expect([wrong.refusal, unknown.refusal, inactive.refusal]).toEqual([
      "401 UNAUTHORIZED",
      "401 UNAUTHORIZED",
      "401 UNAUTHORIZED",
    ]);
    expect(new Set([wrong.text, unknown.text, inactive.text]).size).toBe(1);
  });
});

test("logging in, refreshing and registering answer alike", async () => {
  const registered = await register();
  const again = await login(registration.password, "ana@example.com");
  const refreshed = await refresh(again.field("refreshToken"));
  const answer = {
    ...{ accessToken: expect.any(String), refreshToken: expect.any(String) },
    ...{ tokenType: "Bearer", expiresIn: 900 },
    user: expect.objectContaining({ email: "ana@example.com", role: "owner" }),
    organization: expect.objectContaining({ name: "Shop" }),
  };
  expect([registered, again, refreshed].map(({ body }) => body)).toEqual([answer, answer, answer]);
  expect([registered, again, refreshed].map(({ status }) => status)).toEqual([201, 200, 200]);
});

describe("an access token", () => {
  test("expires after 15 minutes, also when it was used before", async () => {
    const { client } = await bench.owner();
    expect((await client.get("/api/v1/auth/me")).status).toBe(200);
    bench.clock.advance(15 * 60_000 - 1);
    expect((await client.get("/api/v1/auth/me")).status).toBe(200);
    bench.clock.advance(1);
    expect((await client.get("/api/v1/auth/me")).refusal).toBe("401 TOKEN_EXPIRED");
  });

  test("says who it is for, in which organization, role and session", async () => {
    const { answer, orgId } = await bench.owner();
    const [, said = ""] = answer.field("accessToken").split(".");
    const now = bench.clock.now() / 1_000;
    expect(JSON.parse(Buffer.from(said, "base64url").toString())).toEqual({
      ...{ sub: bench.stores.users.findByEmail("owner@example.com")?.id, org: orgId },
      ...{ role: "owner", sid: expect.any(String), iat: now, exp: now + 900 },
    });
  });

  test("that was never used before expires too", async () => {
    const { client } = await bench.owner();
    bench.clock.advance(15 * 60_000);
    expect((await client.get("/api/v1/auth/me")).refusal).toBe("401 TOKEN_EXPIRED");
  });

  test("made while the clock was ahead is refused once the clock is right, used before or not", async () => {
    const now = bench.clock.now();
    bench.clock.jumpTo(now + 365 * 86_400_000);
    const { client, orgId } = await bench.owner();
    const unused = await bench.member(orgId, "owner");
    expect((await client.get("/api/v1/auth/me")).status).toBe(200);
    bench.clock.jumpTo(now);
    for (const each of [client, unused.client]) {
      expect((await each.get("/api/v1/auth/me")).refusal).toBe("401 TOKEN_EXPIRED");
    }
  });

  test("outlives a clock that is set back by seconds", async () => {
    const { client } = await bench.owner();
    bench.clock.jumpTo(bench.clock.now() - 30_000);
    expect((await client.get("/api/v1/auth/me")).status).toBe(200);
  });

  test("is refused when it is forged, garbled or missing", async () => {
    const { answer } = await bench.owner();
    const token = answer.field("accessToken");
    const [head, claims] = token.split(".");
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
    const forgeries = [
      `${token.slice(0, -2)}AA`,
      `${none}.${claims}.`,
      `${head}.${claims}`,
      "x",
      "a.b.c",
    ];
    for (const forged of forgeries) {
      expect((await bench.client.as(forged).get("/api/v1/auth/me")).refusal).toBe(
        "401 UNAUTHORIZED",
      );
    }
    const basic = bench.client.with({ authorization: "Basic YTpi" });
    expect((await basic.get("/api/v1/auth/me")).refusal).toBe("401 UNAUTHORIZED");
    expect((await bench.client.get("/api/v1/auth/me")).refusal).toBe("401 UNAUTHORIZED");
  });

  test("ends at once with its session, and follows a new role at once", async () => {
    const { client, orgId } = await bench.owner();
    const admin = await bench.member(orgId, "admin");
    expect((await admin.client.put("/api/v1/billing/plan", { plan: "pro" })).status).toBe(403);
    expect((await client.put("/api/v1/billing/plan", { plan: "pro" })).status).toBe(200);
    await bench.writer.run(() =>
      bench.stores.users.setActive(orgId, admin.userId, { active: false, now: bench.clock.now() }),
    );
    expect((await admin.client.get("/api/v1/auth/me")).refusal).toBe("401 UNAUTHORIZED");
    await bench.writer.run(() =>
      bench.stores.users.endSessionsOfUser(
        orgId,
        bench.stores.users.findByEmail("owner@example.com")?.id ?? "",
        { now: bench.clock.now() },
      ),
    );
    expect((await client.get("/api/v1/auth/me")).refusal).toBe("401 UNAUTHORIZED");
  });

  test("decides by the role of the user's row, not by the one it was issued with", async () => {
    const { orgId } = await bench.owner();
    const operator = await bench.member(orgId, "operator");
    const token = await bench.tokens.issue({
      userId: operator.userId,
      orgId,
      role: "owner",
      sessionId: operator.sessionId,
    });
    const answer = await bench.client.as(token).put("/api/v1/billing/plan", { plan: "pro" });
    expect(answer.refusal).toBe("403 FORBIDDEN");
  });
});

describe("a refresh token", () => {
  test("works once and gives the next one", async () => {
    const { answer } = await bench.owner();
    bench.clock.advance(20 * 60_000);
    const second = await refresh(answer.field("refreshToken"));
    expect(second.status).toBe(200);
    const client = bench.client.as(second.field("accessToken"));
    expect((await client.get("/api/v1/auth/me")).status).toBe(200);
    expect((await refresh(second.field("refreshToken"))).status).toBe(200);
  });

  test("is stored as a hash alone", async () => {
    const { answer } = await bench.owner();
    const token = answer.field("refreshToken");
    const rows = bench.database.sqlite.prepare("SELECT * FROM refresh_tokens").all();
    const kept = JSON.stringify(rows);
    expect(kept).toContain(new Bun.CryptoHasher("sha256").update(token).digest("hex"));
    expect(kept).not.toContain(token);
  });

  test("that is used again ends the whole session", async () => {
    const { answer } = await bench.owner();
    const first = answer.field("refreshToken");
    const second = await refresh(first);
    expect((await refresh(first)).refusal).toBe("401 UNAUTHORIZED");
    expect((await refresh(second.field("refreshToken"))).refusal).toBe("401 UNAUTHORIZED");
    const client = bench.client.as(second.field("accessToken"));
    expect((await client.get("/api/v1/auth/me")).refusal).toBe("401 UNAUTHORIZED");
    const [entry] = bench.stores.audit.list(bench.stores.organizations.list()[0]?.id ?? "", 1);
    expect(entry?.action).toBe("session.ended_by_token_reuse");
  });

  test("lives 30 days from its last use", async () => {
    const { answer } = await bench.owner();
    bench.clock.advance(29 * 86_400_000);
    const second = await refresh(answer.field("refreshToken"));
    expect(second.status).toBe(200);
    bench.clock.advance(30 * 86_400_000);
    expect((await refresh(second.field("refreshToken"))).refusal).toBe("401 UNAUTHORIZED");
  });

  test("is worth nothing after logging out, which never fails", async () => {
    const { answer } = await bench.owner();
    const refreshToken = answer.field("refreshToken");
    for (const token of [refreshToken, refreshToken, "nobody knows this one"]) {
      const out = await bench.client.post("/api/v1/auth/logout", { refreshToken: token });
      expect(out.status).toBe(204);
    }
    expect((await refresh(refreshToken)).refusal).toBe("401 UNAUTHORIZED");
  });
});

describe("the own account", () => {
  test("takes another name, which the audit log says", async () => {
    const { client, orgId } = await bench.owner();
    const answer = await client.patch("/api/v1/auth/me", { name: "Ana Pop" });
    const user = { name: "Ana Pop", role: "owner" };
    expect([answer.status, answer.body]).toMatchObject([200, { user }]);
    expect((await client.get("/api/v1/auth/me")).body).toMatchObject({ user });
    expect(bench.stores.audit.list(orgId, 1)[0]?.action).toBe("user.updated");
    for (const body of [{}, { name: "" }, { role: "owner" }]) {
      expect((await client.patch("/api/v1/auth/me", body)).refusal).toBe("400 VALIDATION_ERROR");
    }
  });

  test("is logged out everywhere at once", async () => {
    const { answer, client, password } = await bench.owner();
    const [old, other] = [await login(password), await login(password)];
    const logout = (from: ApiAnswer) =>
      bench.client.post("/api/v1/auth/logout", {
        ...{ refreshToken: from.field("refreshToken"), everywhere: true },
      });
    await bench.client.post("/api/v1/auth/logout", { refreshToken: old.field("refreshToken") });
    // A session that is over ends no other one.
    expect((await logout(old)).status).toBe(204);
    expect((await client.get("/api/v1/auth/me")).status).toBe(200);
    expect((await logout(answer)).status).toBe(204);
    expect((await client.get("/api/v1/auth/me")).refusal).toBe("401 UNAUTHORIZED");
    expect((await refresh(other.field("refreshToken"))).refusal).toBe("401 UNAUTHORIZED");
    expect((await login(password)).status).toBe(200);
  });
});

describe("a session that is over", () => {
  const reasonOf = async (refreshToken: string) => {
    const answer = await refresh(refreshToken);
    expect(answer.refusal).toBe("401 UNAUTHORIZED");
    return answer.body;
  };
  const why = (reason: string) => ({ error: { details: { reason } } });

  test("says what ended it, to whoever has its token", async () => {
    const { answer, client } = await bench.owner();
    const added = await client.post("/api/v1/org/members", {
      ...{ email: "bo@example.com", name: "Bo", role: "operator", password: "long enough to pass" },
    });
    const { id } = added.as(Type.Object({ member: Type.Object({ id: Type.String() }) })).member;
    const path = `/api/v1/org/members/${id}`;
    const bo = async () =>
      (
        await bench.client.post("/api/v1/auth/login", {
          ...{ email: "bo@example.com", password: "long enough to pass" },
        })
      ).field("refreshToken");
    const first = await bo();
    await client.patch(path, { role: "admin" });
    expect(await reasonOf(first)).toMatchObject(why("ended"));
    const second = await bo();
    await client.patch(path, { active: false });
    expect(await reasonOf(second)).toMatchObject(why("inactive"));
    await client.delete(path);
    expect(await reasonOf(second)).toMatchObject(why("unknown"));
    bench.clock.advance(31 * 86_400_000);
    expect(await reasonOf(answer.field("refreshToken"))).toMatchObject(why("expired"));
  });
});

describe("changing the password", () => {
  test("needs the current one, keeps this session and ends the others", async () => {
    const { client, password } = await bench.owner();
    const other = bench.client.as((await login(password)).field("accessToken"));
    const wrong = await client.post("/api/v1/auth/change-password", {
      currentPassword: "not it",
      newPassword: "another long password",
    });
    expect(wrong.refusal).toBe("403 FORBIDDEN");
    const right = await client.post("/api/v1/auth/change-password", {
      currentPassword: password,
      newPassword: "another long password",
    });
    expect(right.status).toBe(204);
    expect((await client.get("/api/v1/auth/me")).status).toBe(200);
    expect((await other.get("/api/v1/auth/me")).refusal).toBe("401 UNAUTHORIZED");
    expect((await login(password)).status).toBe(401);
    expect((await login("another long password")).status).toBe(200);
  });
});

describe("whoever is removed while a password is hashed", () => {
  const members = "/api/v1/org/members";
  const password = "a password of Bo";

  test.each([
    ["changes", "/api/v1/auth/change-password", { newPassword: "another long password" }],
    ["adds", members, { email: "cy@example.com", role: "operator", name: "Cy", password }],
  ])("%s nothing", async (_, path, body) => {
    bench.close();
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let beforeHash = () => Promise.resolve();
    bench = createApiBench({ beforeHash: () => beforeHash() });
    const { client: owner } = await bench.owner();
    const bo = { email: "bo@example.com", name: "Bo", role: "admin", password };
    const added = (await owner.post(members, bo)).as(
      Type.Object({ member: Type.Object({ id: Type.String() }) }),
    );
    const client = bench.client.as((await login(password, bo.email)).field("accessToken"));
    beforeHash = () => {
      asked.resolve();
      return answered.promise;
    };
    const waiting = client.post(path, { currentPassword: password, ...body });
    await asked.promise;
    expect((await owner.patch(`${members}/${added.member.id}`, { active: false })).status).toBe(
      200,
    );
    answered.resolve();
    expect((await waiting).refusal).toBe("401 UNAUTHORIZED");
    expect((await owner.get("/api/v1/audit")).text).not.toContain("user.password_changed");
    expect((await owner.get(members)).text).not.toContain("cy@example.com");
  });
});

test("no password, token or key ever reaches the log", async () => {
  const { client, password, answer, orgId } = await bench.owner();
  await bench.setPlan(orgId, "pro");
  const key = await client.post("/api/v1/org/api-keys", { label: "till", scopes: ["all"] });
  const secrets = [
    password,
    answer.field("accessToken"),
    answer.field("refreshToken"),
    key.field("key"),
  ];
  await bench.client.with({ "x-api-key": key.field("key") }).get("/api/v1/devices?q=secret-query");
  await login(`${password}?`);
  await bench.client.as(`${answer.field("accessToken")}x`).get("/api/v1/auth/me");
  await bench.client.post("/api/v1/auth/login", { email: "x", password });
  expect(bench.lines.length).toBeGreaterThanOrEqual(6);
  for (const secret of [...secrets, "secret-query"]) {
    expect(bench.lines.join("")).not.toContain(secret);
  }
});
