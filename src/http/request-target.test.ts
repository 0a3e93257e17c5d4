import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { AnyElysia } from "elysia";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { publicRoutes, sourceOf } from "./access.ts";
import { type RunningHttp, startHttp } from "./listen.ts";
import { integer, query } from "./query.ts";
import { cameOverTls } from "./request-server.ts";
import { bareServer } from "./testing/bare-server.ts";
import { exchange } from "./testing/raw-exchange.ts";

const GLOBAL_MAX = 100;
const AUTH_MAX = 50;

let lines: string[];
let isReady: boolean;
let app: AnyElysia;
let http: RunningHttp;

beforeEach(() => {
  lines = [];
  isReady = true;
  app = bareServer({
    log: createLog({
      level: "info",
      clock: systemClock,
      sink: { write: (line) => lines.push(line) },
    }),
    limits: { globalMax: GLOBAL_MAX, authMax: AUTH_MAX, commandsMax: 100, windowSeconds: 600 },
    ready: () => isReady,
    groups: [
      publicRoutes("Test")
        .post("/auth/login", () => ({ reached: "login" }))
        .get(
          "/things/:thing/:part",
          ({ params: { thing, part }, query: { size } }) => ({ thing, part, size }),
          { query: query({ size: integer({ minimum: 1, maximum: 9, initial: 5 }) }) },
        )
        .get("/secure", ({ request }) => ({ isSecure: sourceOf(request).isSecure })),
    ],
  });
  http = startHttp(app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
});
afterEach(() => http.stop(0));

/** What stands before the target, the version of HTTP, and the Host header with its end. */
type Form = readonly [name: string, head: readonly [origin: string, version: string, host: string]];

const FORMS: readonly Form[] = [
  ...Array.from({ length: 13 }, (_, length): Form => {
    const host = "x".repeat(length);
    return [`a Host of ${length} characters`, ["", "1.1", `Host: ${host}\r\n`]];
  }),
  ["the Host gw", ["", "1.1", "Host: gw\r\n"]],
  ["the Host pos", ["", "1.1", "Host: pos\r\n"]],
  ["a Host with a port", ["", "1.1", "Host: localhost:8080\r\n"]],
  ["an IPv6 Host", ["", "1.1", "Host: [::1]\r\n"]],
  ["an IPv6 Host with a port", ["", "1.1", "Host: [2001:db8::1]:8080\r\n"]],
  ["an IPv6 Host with a zone", ["", "1.1", "Host: [fe80::1%25eth0]\r\n"]],
  ["a Host with a path in it", ["", "1.1", "Host: localhost/livez?\r\n"]],
  ["a Host that is an address of a page", ["", "1.1", "Host: http://x\r\n"]],
  ["a Host that is no host", ["", "1.1", "Host: a b\r\n"]],
  ["HTTP/1.0 without a Host", ["", "1.0", ""]],
  ["HTTP/1.0 with a short Host", ["", "1.0", "Host: x\r\n"]],
  ["an absolute target", ["http://pos.local:8080", "1.1", "Host: y\r\n"]],
  ["an absolute target of a short host", ["http://x", "1.1", "Host: x\r\n"]],
  ["an absolute target of an IPv6 host", ["http://[::1]:80", "1.1", "Host: [::1]\r\n"]],
  ["an absolute target with a name and a password", ["http://u:p@x", "1.1", "Host: x\r\n"]],
  ["an absolute target in HTTP/1.0", ["http://ab", "1.0", ""]],
];

describe.each(FORMS)("with %s", (_name, [origin, version, host]) => {
  const send = async (method: string, target: string): Promise<string> => {
    const head = `${method} ${origin}${target} HTTP/${version}\r\n${host}`;
    return (await exchange(http.url, `${head}Connection: close\r\n\r\n`)).toString();
  };
  const loggedPaths = () => lines.map((line): unknown => JSON.parse(line).path);

  test("router, limiter, readiness and log read the path that was sent", async () => {
    const target = "/api/v1/things/a/b?size=7&at=http://x/y";
    const answer = await send("GET", target);
    expect(answer).toContain('{"thing":"a","part":"b","size":7}');
    expect(answer.toLowerCase()).toContain(`ratelimit-remaining: ${GLOBAL_MAX - 1}\r\n`);
    isReady = false;
    expect(await send("GET", target)).toContain("503 Service Unavailable");
    expect(loggedPaths()).toEqual(["/api/v1/things/a/b", "/api/v1/things/a/b"]);
  });

  test("no path reaches the login without being counted there", async () => {
    const counted = await send("POST", "/api/v1/auth/login");
    expect(counted).toContain('{"reached":"login"}');
    expect(counted.toLowerCase()).toContain(`ratelimit-limit: ${AUTH_MAX}\r\n`);
    for (const prefix of ["/x", "/xx", "//", "/"]) {
      expect(await send("POST", `${prefix}/api/v1/auth/login`)).not.toContain('"reached"');
    }
  });
});

/** As Bun makes it of a Host header; HTTP/1.0 has none. */
test.each(["https://a", "https://pi", "https://pos", "https://pi:8443", ""])(
  "what came over TLS is known to be secure under the address %p",
  async (origin) => {
    const request = new Request("https://localhost");
    Object.defineProperty(request, "url", {
      ...{ value: `${origin}/api/v1/secure`, configurable: true },
    });
    if (app.server) cameOverTls(request, app.server);
    expect(await (await app.fetch(request)).json()).toEqual({ isSecure: true });
  },
);

test.each([
  ["two of them", "Host: a\r\nHost: b"],
  ["the same twice", "Host: a\r\nHost: a"],
  ["a name and nothing", "Host: a\r\nhost:"],
  ["two names in one", "Host: a, b"],
])("a Host header with %s is refused on every path, and counted", async (_name, host) => {
  for (const path of ["/api/v1/things/a/b", "/api/v1/auth/login", "/livez", "/"]) {
    const method = path.endsWith("login") ? "POST" : "GET";
    const head = `${method} ${path} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`;
    const answer = (await exchange(http.url, head)).toString();
    expect(answer).toStartWith("HTTP/1.1 400 ");
    expect(answer).toContain('"VALIDATION_ERROR"');
    expect(answer).not.toContain('"reached"');
  }
  expect(lines.map((line): unknown => JSON.parse(line).status)).toContain(400);
});

test.each(["pos.local:8080", "x:1", "http://pos.local:8080/api/v1/things/a/b"])(
  "CONNECT %s is told that this is no proxy, and its connection ends",
  async (target) => {
    const answer = String(
      await exchange(http.url, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`),
    );
    expect(answer).toStartWith("HTTP/1.1 405 ");
    expect(answer).toContain('"METHOD_NOT_ALLOWED"');
    expect(answer).toContain("This is no proxy");
    expect(answer.toLowerCase()).toContain("connection: close\r\n");
    expect(answer).not.toContain("localhost");
  },
);
