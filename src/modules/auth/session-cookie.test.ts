/** Sessions of pages, over the wire: what a browser is told to keep, and what it may send. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type RunningHttp, startHttp } from "../../http/listen.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ApiBench, type BenchOptions, createApiBench } from "../testing/api-bench.ts";

const ASKS = { "x-session": "cookie" };
const PERSON = { email: "owner@example.com", password: "correct horse battery" };
const Told = Type.Object({ accessToken: Type.String() });

let bench: ApiBench;
let http: RunningHttp;

async function open(options: BenchOptions = {}): Promise<void> {
  bench = createApiBench(options);
  http = startHttp(bench.client.app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
  const made = await send("register", {
    body: { ...PERSON, name: "Ana", organizationName: "Shop", setupCode: bench.setupCode },
  });
  expect(made.status).toBe(201);
}

async function close(): Promise<void> {
  await http.stop(0);
  bench.close();
}

beforeEach(() => open());
afterEach(close);

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

async function send(what: string, { headers = {}, body }: Sent = {}) {
  const response = await fetch(`${http.url}/api/v1/auth/${what}`, {
    method: "POST",
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const setCookies = response.headers.getSetCookie();
  return { status: response.status, text, setCookies, headers: response.headers };
}

type Answer = Awaited<ReturnType<typeof send>>;

/** What a browser sends from then on. */
function cookieOf({ setCookies }: Answer): string {
  expect(setCookies).toHaveLength(1);
  const [pair = ""] = setCookies[0]?.split(";") ?? [];
  return pair;
}

const secretOf = (cookie: string) => cookie.slice(cookie.indexOf("=") + 1);
const accessOf = ({ text }: Answer) => Value.Decode(Told, JSON.parse(text)).accessToken;
const login = (headers: Record<string, string> = {}) =>
  send("login", { headers: { ...ASKS, ...headers }, body: PERSON });
const refresh = (cookie: string) => send("refresh", { headers: { ...ASKS, cookie } });
const isLoggedIn = async (answer: Answer) =>
  (await bench.client.as(accessOf(answer)).get("/api/v1/auth/me")).status === 200;

describe("a page that logs in with X-Session: cookie", () => {
  test("gets the refresh token as a cookie for these routes alone, and in no body", async () => {
    const answer = await login();
    expect(answer.status).toBe(200);
    const [cookie] = answer.setCookies;
    expect(cookie).toMatch(
      /^fiscald_session=[\w-]{43}; Path=\/api\/v1\/auth; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.text).not.toContain("refreshToken");
    expect(answer.text).not.toContain(secretOf(cookieOf(answer)));
    expect(await isLoggedIn(answer)).toBe(true);
  });

  test("refreshes with it, and gets the next one in its place", async () => {
    const first = cookieOf(await login());
    bench.clock.advance(14 * 60_000);
    const answer = await refresh(`other=1; ${first}; third="3"`);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain("refreshToken");
    const next = cookieOf(answer);
    expect(next).not.toBe(first);
    expect(await isLoggedIn(answer)).toBe(true);
    bench.clock.advance(29 * 86_400_000);
    expect((await refresh(next)).status).toBe(200);
    bench.clock.advance(31 * 86_400_000);
    expect((await refresh(next)).status).toBe(401);
  });

  test("may register so, and change a token of a body for a cookie", async () => {
    await close();
    await open({ registration: "open" });
    const body = { ...PERSON, email: "b@example.com", name: "Bo", organizationName: "Corner" };
    const registered = await send("register", { headers: ASKS, body });
    expect(registered.status).toBe(201);
    expect((await refresh(cookieOf(registered))).status).toBe(200);
    const given = await send("login", { body: PERSON });
    expect(given.setCookies).toEqual([]);
    const { refreshToken } = Value.Decode(
      Type.Object({ refreshToken: Type.String() }),
      JSON.parse(given.text),
    );
    const changed = await send("refresh", { headers: ASKS, body: { refreshToken } });
    expect(changed.text).not.toContain("refreshToken");
    expect((await refresh(cookieOf(changed))).status).toBe(200);
  });

  test("logs out with it, which ends the session and has the browser forget it", async () => {
    const answer = await login();
    const cookie = cookieOf(answer);
    const out = await send("logout", { headers: { ...ASKS, cookie } });
    expect(out.status).toBe(204);
    expect(out.setCookies).toEqual([
      "fiscald_session=; Path=/api/v1/auth; Max-Age=0; HttpOnly; SameSite=Strict",
    ]);
    expect((await refresh(cookie)).status).toBe(401);
    expect(await isLoggedIn(answer)).toBe(false);
  });

  test("without a cookie is logged out: 401 to a refresh, 204 to a logout", async () => {
    for (const cookie of ["", "other=1", "fiscald_session=", "fiscald_session"]) {
      expect((await refresh(cookie)).status).toBe(401);
      const out = await send("logout", { headers: { ...ASKS, cookie } });
      expect([out.status, out.setCookies.length]).toEqual([204, 1]);
    }
  });
});

describe("over HTTPS", () => {
  const HTTPS = { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7" };

  test("the cookie is Secure, under a name that plain HTTP cannot set", async () => {
    await close();
    await open({ trustProxy: true });
    const answer = await login(HTTPS);
    expect(answer.setCookies[0]).toMatch(/^__Secure-fiscald_session=.*; Secure$/);
    const cookie = cookieOf(answer);
    const both = `fiscald_session=planted; ${cookie}`;
    const next = await send("refresh", { headers: { ...ASKS, ...HTTPS, cookie: both } });
    expect(next.status).toBe(200);
    // Of several proxies only the one in front of here is believed.
    const claimed = { ...ASKS, "x-forwarded-proto": "https, http" };
    const plain = await send("refresh", { headers: { ...claimed, cookie: cookieOf(next) } });
    expect(plain.status).toBe(401);
  });

  test("nobody is, who only says so", async () => {
    expect((await login(HTTPS)).setCookies[0]).not.toContain("Secure");
  });
});

describe("what another page may do in the browser of a person who is logged in", () => {
  test("a cookie alone opens nothing, and ends nothing", async () => {
    const cookie = cookieOf(await login());
    for (const what of ["refresh", "logout"]) {
      const answer = await send(what, { headers: { cookie } });
      expect([what, answer.status, answer.setCookies]).toEqual([what, 400, []]);
      expect(answer.text).toContain('"path":"refreshToken"');
    }
    const access = await bench.client.with({ cookie }).get("/api/v1/auth/me");
    expect(access.refusal).toBe("401 UNAUTHORIZED");
    expect((await refresh(cookie)).status).toBe(200);
  });

  test.each([{ origin: "https://evil.example" }, { origin: "null" }, { host: "evil.example" }])(
    "nothing by X-Session from %j",
    async (from) => {
      const cookie = cookieOf(await login());
      const headers = { ...ASKS, ...from, cookie };
      const owner = { ...PERSON, email: "b@example.com", name: "Bo", organizationName: "Corner" };
      for (const [what, body] of Object.entries({
        ...{ login: PERSON, register: owner, refresh: {}, logout: {} },
      })) {
        const answer = await send(what, { headers, body });
        expect([what, answer.status, answer.setCookies]).toEqual([what, 403, []]);
      }
      expect((await refresh(cookie)).status).toBe(200);
    },
  );

  test("no tokens either for a page under a name that leads here", async () => {
    const host = "evil.example:8080";
    const page = { headers: { host, origin: `http://${host}` }, body: PERSON };
    expect((await send("login", page)).status).toBe(403);
    // A program sends no Origin, and may call the box by whatever name its network has.
    expect((await send("login", { ...page, headers: { host } })).status).toBe(200);
  });

  test("nothing from an origin that may call the API: browsers ask first, and are told no", async () => {
    await close();
    await open({ corsOrigins: ["https://till.example"] });
    const headers = {
      origin: "https://till.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-session",
    };
    const asked = await fetch(`${http.url}/api/v1/auth/refresh`, { method: "OPTIONS", headers });
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-origin")).toBe("https://till.example");
    expect(asked.headers.get("access-control-allow-headers")?.toLowerCase()).not.toContain(
      "x-session",
    );
    expect(asked.headers.has("access-control-allow-credentials")).toBe(false);
    // Behind a proxy that name is this gateway's own, and its pages are.
    expect((await login({ origin: "https://till.example" })).status).toBe(200);
  });

  test("another word in X-Session is refused", async () => {
    const answer = await send("login", { headers: { "x-session": "Cookie" }, body: PERSON });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('"path":"X-Session"');
  });
});

describe("several tabs", () => {
  test("that refresh at once all go on, with one cookie", async () => {
    const cookie = cookieOf(await login());
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(cookie)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(cookieOf)).size).toBe(1);
    for (const answer of answers) expect(await isLoggedIn(answer)).toBe(true);
    const [last] = answers;
    bench.clock.advance(15 * 60_000);
    expect((await refresh(last ? cookieOf(last) : "")).status).toBe(200);
  });

  test("one of which lost the answer goes on with the newest cookie for half a minute", async () => {
    const first = cookieOf(await login());
    const second = cookieOf(await refresh(first));
    bench.clock.advance(20_000);
    const third = cookieOf(await refresh(second));
    bench.clock.advance(9_999);
    const late = await refresh(first);
    expect(cookieOf(late)).toBe(third);
    expect(late.setCookies[0]).toContain(`Max-Age=${30 * 86_400 - 10}`);
  });

  test.each([-50, -29_999])("go on where the clock is set by %d ms between them", async (step) => {
    const first = cookieOf(await login());
    const second = cookieOf(await refresh(first));
    bench.clock.jumpTo(bench.clock.now() + step);
    const late = await refresh(first);
    expect([late.status, cookieOf(late)]).toEqual([200, second]);
    expect(
      bench.stores.audit.list(bench.stores.organizations.list()[0]?.id ?? "", 10),
    ).not.toContainEqual(expect.objectContaining({ action: "session.ended_by_token_reuse" }));
  });

  test("a cookie that comes later was copied: the session ends", async () => {
    const first = cookieOf(await login());
    const answer = await refresh(first);
    bench.clock.advance(30_000);
    const late = await refresh(first);
    expect([late.status, late.setCookies]).toEqual([401, []]);
    expect((await refresh(cookieOf(answer))).status).toBe(401);
    expect(await isLoggedIn(answer)).toBe(false);
  });

  test("do not share the tokens of bodies, where each works once", async () => {
    const cookie = cookieOf(await login());
    const answer = await refresh(cookie);
    const copied = await send("refresh", { body: { refreshToken: secretOf(cookie) } });
    expect(copied.status).toBe(401);
    expect((await refresh(cookieOf(answer))).status).toBe(401);
  });

  test("do not bring a session back that was logged out", async () => {
    const first = cookieOf(await login());
    const second = cookieOf(await refresh(first));
    await send("logout", { headers: { ...ASKS, cookie: second } });
    expect((await refresh(first)).status).toBe(401);
  });
});

test("no cookie reaches the log, and the database has only hashes of them", async () => {
  const first = cookieOf(await login());
  const answer = await refresh(first);
  const second = cookieOf(answer);
  await refresh(`${second}x`);
  await send("refresh", { headers: { cookie: second } });
  await send("refresh", { headers: { ...ASKS, cookie: second, origin: "https://evil.example" } });
  await send("logout", { headers: { ...ASKS, cookie: second } });
  expect(bench.lines.length).toBeGreaterThanOrEqual(7);
  const kept = JSON.stringify(
    ["refresh_tokens", "user_sessions", "events", "audit_entries"].map((table) =>
      bench.database.sqlite.prepare(`SELECT * FROM ${table}`).all(),
    ),
  );
  for (const secret of [first, second].map(secretOf).concat(accessOf(answer))) {
    expect(secret.length).toBeGreaterThan(40);
    expect(bench.lines.join("")).not.toContain(secret);
    expect(kept).not.toContain(secret);
  }
});

test("pages that renew their session leave the bucket of guesses as it is", async () => {
  await close();
  // Register and log in are two of them.
  await open({ limits: { authMax: 4 } });
  let session = await send("login", { headers: ASKS, body: PERSON });
  for (let page = 0; page < 8; page += 1) {
    session = await send("refresh", { headers: { ...ASKS, cookie: cookieOf(session) }, body: {} });
    expect([session.status, session.headers.get("ratelimit-remaining")]).toEqual([200, "2"]);
  }
  // What is no session counts, and so does one whose token a program keeps.
  expect((await send("refresh", { headers: ASKS, body: {} })).status).toBe(401);
  const kept = await send("login", { body: PERSON });
  expect([kept.status, kept.headers.get("ratelimit-remaining")]).toEqual([200, "0"]);
  const last = await send("refresh", { headers: { ...ASKS, cookie: cookieOf(session) }, body: {} });
  expect([last.status, last.headers.get("retry-after")]).toEqual([429, "600"]);
});
