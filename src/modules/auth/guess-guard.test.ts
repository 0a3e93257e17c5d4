/** Guessing at passwords and codes: what it costs, whom it does not hold up, who hears of it. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { TooManyGuesses } from "#core/errors.ts";
import { RESET_CODE_MS } from "#core/limits.ts";
import { createRandom } from "../../platform/random.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";
import { createGuessGuard } from "./guess-guard.ts";
import { issuePasswordCode } from "./password-codes.ts";

const METRICS_KEY = "figures of the shop";
const EMAIL = "owner@example.com";
const HERE = "192.168.1.10";
const STRANGER = "192.168.1.66";
const MINUTE_MS = 60_000;

let bench: ApiBench;
beforeEach(() => {
  bench = createApiBench({ trustProxy: true, metricsKey: METRICS_KEY });
});
afterEach(() => bench.close());

const from = (address: string) => bench.client.with({ "x-forwarded-for": address });
const login = (address: string, password: string, email = EMAIL) =>
  from(address).post("/api/v1/auth/login", { email, password });
/** Statuses of so many wrong passwords, one after another. */
async function guess(times: number, address: string, email = EMAIL): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) {
    statuses.push((await login(address, `wrong ${n} `.repeat(3), email)).status);
  }
  return statuses;
}
/** As many as the account has free, each address no more than it has. */
async function guessFromEverywhere(): Promise<void> {
  for (let n = 0; n < 6; n += 1) await guess(5, `10.0.0.${n}`);
}
/** An owner who has registered from there, and is logged in by that. */
async function registered(address: string) {
  const password = "a long password";
  const answer = await from(address).post("/api/v1/auth/register", {
    ...{ email: EMAIL, password, name: "Ana", organizationName: "Shop" },
    setupCode: bench.setupCode,
  });
  expect(answer.status).toBe(201);
  const [accessToken, refreshToken] = [answer.field("accessToken"), answer.field("refreshToken")];
  return { password, accessToken, refreshToken };
}
const refresh = (address: string, refreshToken: string) =>
  from(address).post("/api/v1/auth/refresh", { refreshToken });
const waited = (minutes: number) => bench.clock.advanceAsync(minutes * MINUTE_MS);

describe("a page under a name of its own that leads here", () => {
  const evil = { host: "evil.example", origin: "http://evil.example" };

  test("keeps nobody at that computer from logging in", async () => {
    const { password } = await registered(HERE);
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const body = { token: `guess-${n}`, password: "another long one" };
      const route = "/api/v1/auth/reset-password";
      statuses.push((await from(HERE).with(evil).post(route, body)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect((await login(HERE, password)).status).toBe(200);
  });

  test.each([
    ["register", { email: "eve@evil.example" }],
    ["login", { email: EMAIL, password: "a long password" }],
    ["refresh", { refreshToken: "guess" }],
    ["logout", { refreshToken: "guess" }],
    ["forgot-password", { email: EMAIL }],
    ["reset-password", { token: "guess", password: "another long one" }],
  ])("gets nothing of POST /auth/%s", async (route, body) => {
    await registered(HERE);
    const answer = await from(HERE).with(evil).post(`/api/v1/auth/${route}`, body);
    expect([answer.refusal, answer.text]).toEqual([
      "403 FORBIDDEN",
      expect.stringContaining("no name of this machine"),
    ]);
  });
});

describe("passwords", () => {
  test("five wrong ones from an address make it wait, the right one then too", async () => {
    const { password } = await bench.owner();
    expect(await guess(6, STRANGER)).toEqual([401, 401, 401, 401, 401, 429]);
    const refused = await login(STRANGER, password);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", status: 429 });
    expect(refused.headers.get("retry-after")).toBe("60");
    await waited(1);
    expect(await guess(2, STRANGER)).toEqual([401, 429]);
    await waited(1);
    expect((await login(STRANGER, password)).headers.get("retry-after")).toBe("60");
    await waited(1);
    expect((await login(STRANGER, password)).status).toBe(200);
    expect(await guess(5, STRANGER)).toEqual([401, 401, 401, 401, 401]);
  });

  test("a hundred at once are not checked before they are counted", async () => {
    await bench.owner();
    const before = bench.comparisons();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => login(STRANGER, `wrong wrong ${n}`)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(95);
    expect(bench.comparisons() - before).toBe(5);
  });

  test("strangers at many addresses do not lock out who logged in from his own", async () => {
    const { password } = await bench.owner();
    expect((await login(HERE, password)).status).toBe(200);
    await guessFromEverywhere();
    expect((await login("10.0.0.99", password)).status).toBe(429);
    expect((await login(HERE, password)).status).toBe(200);
    // An address that the owner never used waits, but not for ever.
    await waited(1);
    expect((await login("10.0.0.99", password)).status).toBe(200);
  });

  test("nor who registered at his own", async () => {
    const { password } = await registered(HERE);
    await guessFromEverywhere();
    expect((await login("10.0.0.99", password)).status).toBe(429);
    expect((await login(HERE, password)).status).toBe(200);
  });

  test("nor who renewed a login at his own", async () => {
    const { password, refreshToken } = await registered("192.168.1.11");
    expect((await refresh(HERE, refreshToken)).status).toBe(200);
    await guessFromEverywhere();
    expect((await login(HERE, password)).status).toBe(200);
  });

  test("nor who changed the password at his own, or set it by a code", async () => {
    const { password, accessToken } = await registered("192.168.1.11");
    const client = from(HERE).as(accessToken);
    const change = { currentPassword: password, newPassword: "another password" };
    expect((await client.post("/api/v1/auth/change-password", change)).status).toBe(204);
    await guessFromEverywhere();
    expect((await login(HERE, "another password")).status).toBe(200);
    const user = bench.stores.users.findByEmail(EMAIL);
    if (user === undefined) throw new Error("nobody has registered");
    const random = createRandom(bench.clock);
    const token = await bench.writer.run(() =>
      issuePasswordCode({ ...bench, random }, user, RESET_CODE_MS),
    );
    const reset = { token, password: "a third password" };
    const office = from("192.168.1.12");
    expect((await office.post("/api/v1/auth/reset-password", reset)).status).toBe(204);
    await guessFromEverywhere();
    expect((await login("192.168.1.12", "a third password")).status).toBe(200);
  });

  test("a token that was copied vouches for one address, and for none once that is noticed", async () => {
    const { password, refreshToken } = await registered(HERE);
    let token = refreshToken;
    for (let n = 0; n < 21; n += 1) {
      token = (await refresh(`10.9.0.${n}`, token)).field("refreshToken");
    }
    await guessFromEverywhere();
    // The owner's own address is not driven out by those.
    expect((await login(HERE, password)).status).toBe(200);
    expect(await guess(1, "10.9.0.19")).toEqual([429]);
    expect(await guess(1, "10.9.0.20")).toEqual([401]);
    expect((await refresh(HERE, refreshToken)).status).toBe(401);
    expect(await guess(1, "10.9.0.20")).toEqual([429]);
    expect((await login(HERE, password)).status).toBe(200);
  });

  test("a new password takes what other logins vouched for", async () => {
    const { password, accessToken } = await registered(HERE);
    const copied = (await login(HERE, password)).field("refreshToken");
    expect((await refresh(STRANGER, copied)).status).toBe(200);
    const change = { currentPassword: password, newPassword: "another password" };
    const changed = await from(HERE).as(accessToken).post("/api/v1/auth/change-password", change);
    expect(changed.status).toBe(204);
    await guessFromEverywhere();
    expect(await guess(1, STRANGER)).toEqual([429]);
    expect((await login(HERE, "another password")).status).toBe(200);
  });

  test("strangers do not lock out the person at the machine", async () => {
    await bench.owner();
    await guessFromEverywhere();
    const user = bench.stores.users.findByEmail(EMAIL);
    const at = { ...{ email: EMAIL, user, what: "password" }, address: "127.0.0.1" };
    const guard = createGuessGuard(bench);
    expect(() => guard.begin(at)).toThrow(TooManyGuesses);
    guard.begin({ ...at, isAtTheBox: true }).end();
  });

  test("an account that does not exist waits alike", async () => {
    await bench.owner();
    const known = await guess(7, STRANGER);
    expect(await guess(7, "192.168.1.67", "nobody@example.com")).toEqual(known);
  });

  test("one password tried on many accounts waits for the address", async () => {
    await bench.owner();
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      statuses.push((await login(STRANGER, "spring 2026 !", `user${n}@example.com`)).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
    expect((await login(HERE, "spring 2026 !", "user21@example.com")).status).toBe(401);
  });

  test("the waits outlive a restart", async () => {
    const { password } = await bench.owner();
    await guess(5, STRANGER);
    const again = createApiBench({
      trustProxy: true,
      after: { database: bench.database, clock: bench.clock },
    });
    const client = again.client.with({ "x-forwarded-for": STRANGER });
    expect((await client.post("/api/v1/auth/login", { email: EMAIL, password })).status).toBe(429);
  });

  test("a new password by a code ends the waits", async () => {
    const { orgId } = await bench.owner();
    const { client } = await bench.member(orgId, "owner");
    const added = await client.post("/api/v1/org/members", {
      ...{ email: "ion@example.com", name: "Ion", role: "operator" },
    });
    expect(await guess(6, STRANGER, "ion@example.com")).toContain(429);
    const password = "a new long password";
    const token = added.field("setupToken");
    await from(STRANGER).post("/api/v1/auth/reset-password", { token, password });
    expect((await login(STRANGER, password, "ion@example.com")).status).toBe(200);
  });

  test("a session of somebody else's does not find out the password", async () => {
    const { client, password } = await bench.owner();
    const change = (currentPassword: string) =>
      client
        .with({ "x-forwarded-for": STRANGER })
        .post("/api/v1/auth/change-password", { currentPassword, newPassword: "another password" });
    for (let n = 0; n < 5; n += 1) expect((await change(`wrong wrong ${n}`)).status).toBe(403);
    expect((await change(password)).status).toBe(429);
  });
});

describe("a clock that is set", () => {
  const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;
  const right = (client: typeof bench.client, password: string) =>
    client
      .with({ "x-forwarded-for": STRANGER })
      .post("/api/v1/auth/login", { email: EMAIL, password });

  test("back to the time does not lengthen a wait, of the account nor of the address", async () => {
    const { password } = await bench.owner();
    bench.clock.jumpTo(bench.clock.now() + YEAR_MS);
    expect((await guess(7, STRANGER)).at(-1)).toBe(429);
    for (let n = 0; n < 20; n += 1) await guess(1, STRANGER, `user${n}@example.com`);
    bench.clock.jumpTo(bench.clock.now() - YEAR_MS);
    expect((await right(bench.client, password)).status).toBe(429);
    await waited(1);
    expect((await right(bench.client, password)).status).toBe(200);
  });

  test("forward does not end one", async () => {
    const { password } = await bench.owner();
    await guess(5, STRANGER);
    bench.clock.jumpTo(bench.clock.now() + 3 * 60 * MINUTE_MS);
    expect((await right(bench.client, password)).headers.get("retry-after")).toBe("60");
  });

  test("while the gateway was off makes who has to wait begin anew, and no more", async () => {
    const { password } = await bench.owner();
    bench.clock.jumpTo(bench.clock.now() + YEAR_MS);
    await guess(5, STRANGER);
    bench.clock.jumpTo(bench.clock.now() - YEAR_MS);
    // As after a power cut: nothing was kept of the time but what is in the rows.
    const { database, clock } = bench;
    const again = createApiBench({ trustProxy: true, after: { database, clock } });
    expect((await right(again.client, password)).headers.get("retry-after")).toBe("60");
    await waited(1);
    expect((await right(again.client, password)).status).toBe(200);
  });
});

test("managers see in the audit log who guessed, once for each doubling; the log has it too", async () => {
  const { orgId } = await bench.owner();
  for (let n = 0; n < 12; n += 1) {
    await guess(1, STRANGER);
    await waited(15);
  }
  const user = bench.stores.users.findByEmail(EMAIL);
  const told = bench.stores.audit.list(orgId, 50).filter((one) => one.action === "user.guessed_at");
  expect(told.map(({ details }) => details)).toEqual([
    { what: "password", by: "pair", failures: 10, waitSeconds: 900 },
    { what: "password", by: "pair", failures: 5, waitSeconds: 60 },
  ]);
  expect(told[0]).toMatchObject({ actor: "nobody", address: STRANGER, resource: user?.id });
  const lines = bench.lines.filter((line) => line.includes("wrong guesses"));
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toContain("wrong 0");
  const audit = await (await bench.member(orgId, "owner")).client.get("/api/v1/audit");
  expect(audit.text).toContain("user.guessed_at");
});

test("a Prometheus with an old key holds back itself, and no login from its address", async () => {
  const { password } = await bench.owner();
  const scrape = async (key: string) => (await from(STRANGER).as(key).get("/metrics")).status;
  const statuses: number[] = [];
  for (let count = 0; count < 30; count += 1) {
    statuses.push(await scrape("old"));
    await waited(0.25);
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
  expect((await login(STRANGER, password)).status).toBe(200);
  await waited(15);
  expect(await scrape(METRICS_KEY)).toBe(200);
});

test("set-up codes and reset codes are counted by address, and the key of the figures apart", async () => {
  const register = (setupCode: string, address: string) =>
    from(address).post("/api/v1/auth/register", {
      ...{ email: EMAIL, password: "a long password", name: "Ana", organizationName: "Shop" },
      setupCode,
    });
  const reset = () =>
    from(STRANGER).post("/api/v1/auth/reset-password", {
      ...{ token: "x".repeat(43), password: "a long password" },
    });
  const figures = (key: string, address: string) => from(address).as(key).get("/metrics");
  expect((await figures(METRICS_KEY, HERE)).status).toBe(200);
  for (let n = 0; n < 9; n += 1) {
    expect((await register(`0000-0000-000${n}`, STRANGER)).status).toBe(403);
    expect((await reset()).status).toBe(401);
  }
  for (let n = 0; n < 20; n += 1) {
    expect((await figures(`key ${n}`, STRANGER)).status).toBe(401);
  }
  // Eighteen wrong codes so far; the twentieth makes it wait, whatever is tried next.
  expect([(await reset()).status, (await reset()).status]).toEqual([401, 401]);
  expect((await register(bench.setupCode, STRANGER)).status).toBe(429);
  expect((await reset()).status).toBe(429);
  expect((await figures(METRICS_KEY, STRANGER)).status).toBe(429);
  expect((await register(bench.setupCode, HERE)).status).toBe(201);
});

test("what is old is removed", async () => {
  await bench.owner();
  await guess(3, STRANGER);
  const count = () => bench.database.sqlite.prepare("SELECT count(*) FROM guesses").pluck().get();
  expect(count()).toBe(3);
  await bench.writer.run(() => bench.stores.guesses.purge(bench.clock.now() + 1));
  expect(count()).toBe(0);
});
