import { beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import type { Principal } from "#core/access.ts";
import { ApiError } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { listenerRoutes, publicRoutes, scopedRoutes, unauthorized, userRoutes } from "./access.ts";
import { noContent } from "./answers.ts";
import { attachment, inTurns } from "./attachment.ts";
import { QUEUES_COMMAND } from "./listed-route.ts";
import { choice, flag, instant, integer, pagination, query } from "./query.ts";
import { json, lateJson } from "./request-body.ts";
import type { HttpServerOptions } from "./server.ts";
import { ApiClient, type CallOptions } from "./testing/api-client.ts";
import { bareServer } from "./testing/bare-server.ts";

const operator: Principal = {
  kind: "user",
  orgId: "org0",
  userId: "usr_1",
  sessionId: "ses_1",
  role: "operator",
  expiresAt: null,
};
const key: Principal = {
  kind: "key",
  orgId: "org0",
  keyId: "key_1",
  scopes: ["devices:read"],
  expiresAt: null,
};

const Item = Type.Object({
  name: Type.String({ minLength: 1 }),
  size: Type.Object({ width: Type.Integer() }),
});

const routes = new Elysia()
  .use(
    publicRoutes("Things")
      .get("/open", () => ({ open: true }))
      .get("/file", ({ request }) =>
        attachment(request, {
          ...{ contentType: "text/csv", fileName: "a.csv", onFault() {} },
          parts: inTurns(["one", "two"]),
        }),
      )
      .post(
        "/echo",
        async ({ body: { text, parse } }) => {
          const sent = await text();
          return { name: parse(sent).name, characters: sent.length };
        },
        { body: lateJson(Item) },
      )
      .post("/optional", ({ body }) => body, {
        body: json(Type.Object({ note: Type.Optional(Type.String()) })),
      })
      .delete("/things/:thingId", () => noContent())
      .get("/things/newest", () => ({ id: "newest" }))
      .post("/things/:thingId/name", ({ body }) => body, {
        transform({ params }) {
          if (params.thingId === "none") throw new ApiError("NOT_FOUND", "no such thing");
        },
        body: json(Item),
      })
      .get("/list", ({ query }) => query, {
        query: query({ ...pagination(["createdAt", "total"]), from: instant(), to: instant() }),
      })
      .get("/broken", () => {
        throw new TypeError("password hunter2 is undefined");
      })
      .get("/full", async () => {
        throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
      }),
  )
  .use(
    scopedRoutes("devices:read", "Things").get(
      "/things/:thingId",
      ({ params: { thingId: id }, query }) => ({ id, ...query }),
      {
        transform({ params }) {
          if (params.thingId === "none") throw new ApiError("NOT_FOUND", "no such thing");
        },
        query: query({
          kind: choice(["a", "b"]),
          size: integer({ minimum: 1, maximum: 9, initial: 5 }),
          whole: flag(),
        }),
      },
    ),
  )
  .use(
    scopedRoutes("devices:write", "Things").post(
      "/things",
      ({ body, status }) => status(201, body),
      { body: json(Item) },
    ),
  )
  .use(userRoutes("admin", "Things").get("/admin", () => ({})))
  .use(
    listenerRoutes(["devices:read"], "Things", (ticket) =>
      ticket === "good" ? key : undefined,
    ).get("/listen", () => ({})),
  )
  .use(
    publicRoutes("Things")
      .post("/things/:thingId/jobs", () => ({}), { detail: QUEUES_COMMAND })
      .get("/things/:thingId/jobs", () => ({}))
      .get("/things/:thingId/measure", () => ({}), { detail: QUEUES_COMMAND }),
  );

let clock: FakeClock;
let lines: string[];
let app: AnyElysia;

function build(change: Partial<HttpServerOptions> = {}): AnyElysia {
  return bareServer({
    clock,
    log: createLog({ level: "info", clock, sink: { write: (line) => lines.push(line) } }),
    trustProxy: true,
    authenticate(credential) {
      const isKey = credential.kind === "key" && credential.key.startsWith("svc_live_");
      if (isKey && !credential.key.endsWith("forged")) return key;
      if (credential.kind === "token") return operator;
      throw unauthorized();
    },
    groups: [routes],
    ...change,
  });
}

beforeEach(() => {
  clock = new FakeClock();
  lines = [];
  app = build();
});

const call = (path: string, options: CallOptions & { method?: string } = {}) =>
  new ApiClient(app).call(options.method ?? "GET", path, options);

const send = (
  path: string,
  rawBody: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => call(path, { method: "POST", rawBody, headers });

const KEY = { "x-api-key": "svc_live_org0_1" };

describe("a declared route", () => {
  test("answers with its status and JSON", async () => {
    const answer = await call("/api/v1/open");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(answer.body).toEqual({ open: true });
  });

  test("answers HEAD like GET without the body", async () => {
    const answer = await call("/api/v1/open", { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe("");
  });

  test("answers HEAD with the length of what is whole, and with none of what is streamed", async () => {
    const whole = await call("/api/v1/open", { method: "HEAD" });
    expect(whole.headers.get("content-length")).toBe(String('{"open":true}'.length));
    const streamed = await call("/api/v1/file", { method: "HEAD" });
    expect(streamed.status).toBe(200);
    expect(streamed.headers.get("content-length")).toBeNull();
    expect(streamed.headers.get("transfer-encoding")).toBe("chunked");
  });

  test("answers 204 with no body", async () => {
    const answer = await call("/api/v1/things/t1", { method: "DELETE" });
    expect([answer.status, answer.text]).toEqual([204, ""]);
  });

  test("answers with what nothing on the way may keep", async () => {
    for (const path of ["/api/v1/open", "/api/v1/nothing", "/api/v1/broken"]) {
      expect((await call(path)).headers.get("cache-control")).toBe("no-store");
    }
  });

  test("decodes path parameters", async () => {
    const answer = await call("/api/v1/things/a%20b", { headers: KEY });
    expect(answer.body).toEqual({ id: "a b", size: 5, whole: false });
  });
});

describe("refusals come in the order 401, 403, 404, 400", () => {
  test("401 without a credential, whatever else is wrong", async () => {
    const answer = await send("/api/v1/things", "{nonsense");
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.body).toEqual({
      error: { code: "UNAUTHORIZED", message: expect.any(String) },
    });
  });

  test("403 when the scope does not cover the route, before the body is looked at", async () => {
    expect((await send("/api/v1/things", "{nonsense", KEY)).status).toBe(403);
  });

  test("403 for an API key on a route for logins, and for a role that is too low", async () => {
    const withKey = await call("/api/v1/admin", { headers: KEY });
    const asOperator = await call("/api/v1/admin", { headers: { authorization: "Bearer x.y.z" } });
    expect([withKey.status, asOperator.status]).toEqual([403, 403]);
    expect(withKey.refusal).toBe("403 FORBIDDEN");
  });

  test("404 before a bad query", async () => {
    const answer = await call("/api/v1/things/none?kind=x", { headers: KEY });
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining("no such thing")]);
    expect((await call("/api/v1/things/some?kind=x", { headers: KEY })).status).toBe(400);
  });

  test("404 before anything of the body is looked at", async () => {
    const bodies = [
      ["{nonsense", "application/json"],
      ["name=n", "application/x-www-form-urlencoded"],
      ["x".repeat(1_048_577), "application/json"],
    ] as const;
    for (const [body, type] of bodies) {
      const answer = await send("/api/v1/things/none/name", body, { "content-type": type });
      expect(answer.status).toBe(404);
      const existing = await send("/api/v1/things/some/name", body, { "content-type": type });
      expect(existing.status).toBe(400);
    }
  });
});

describe("a body", () => {
  const good = JSON.stringify({ name: "n", size: { width: 1 }, extra: { ignored: true } });

  test("is taken with properties nobody declared", async () => {
    const answer = await send("/api/v1/echo", good);
    expect(answer.body).toEqual({ name: "n", characters: good.length });
  });

  test("is refused with one dotted path for each fault, and nothing is coerced", async () => {
    const answer = await send("/api/v1/echo", '{"size":{"width":"5"}}');
    expect(answer.status).toBe(400);
    expect(answer.refusal).toBe("400 VALIDATION_ERROR");
    expect([...answer.issuePaths].sort()).toEqual(["name", "size.width"]);
  });

  test.each(["null", "[]", '"text"', "5"])("is refused when it is %p", async (body) => {
    const answer = await send("/api/v1/echo", body);
    expect(answer.refusal).toBe("400 VALIDATION_ERROR");
  });

  test("may be missing where every field is optional", async () => {
    const answer = await call("/api/v1/optional", { method: "POST" });
    expect([answer.status, answer.body]).toEqual([200, {}]);
  });

  test("that is missing names the fields that are required", async () => {
    const { issuePaths } = await call("/api/v1/echo", { method: "POST" });
    expect(issuePaths).toEqual(["name", "size"]);
  });

  test.each([
    ["is no JSON", "{", "application/json"],
    ["has another content type", good, "text/plain"],
    ["is a form", "name=n", "application/x-www-form-urlencoded"],
    ["has another character set", good, "application/json; charset=latin1"],
    ["is not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "application/json"],
  ])("that %s is a BAD_REQUEST", async (_, body, type) => {
    const answer = await send("/api/v1/echo", body, { "content-type": type });
    expect(answer.refusal).toBe("400 BAD_REQUEST");
  });

  test("is refused when it is nested too deep, and without being walked", async () => {
    const nested = (levels: number) =>
      `{"name":"n","size":{"width":1},"extra":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect((await send("/api/v1/echo", nested(32))).status).toBe(200);
    for (const levels of [33, 500_000]) {
      const answer = await send("/api/v1/echo", nested(levels));
      expect(answer.refusal).toBe("400 BAD_REQUEST");
      expect(answer.text).toContain("33 levels");
    }
  });

  test.each(["\\u0000", "\\ud83d", "x\\uDE00"])(
    "is refused with the text %s in it",
    async (text) => {
      const body = `{"name":"n","size":{"width":1},"extra":["${text}"]}`;
      const answer = await send("/api/v1/echo", body);
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["extra.0"]]);
    },
  );

  test("counts the characters of a text, not its code units", async () => {
    const bounded = Type.Object({ name: Type.String({ minLength: 2, maxLength: 4 }) });
    const named = publicRoutes("Things").post("/named", ({ body }) => body, {
      body: json(bounded),
    });
    app = build({ groups: [named] });
    const statusOf = async (name: string) =>
      (await send("/api/v1/named", JSON.stringify({ name }))).status;
    expect(await statusOf("😀😀😀😀")).toBe(200);
    expect(await statusOf("😀")).toBe(400);
    const long = await send("/api/v1/named", JSON.stringify({ name: "12345" }));
    expect(long.body).toMatchObject({
      error: { details: [{ path: "name", message: "Expected 2 to 4 characters" }] },
    });
  });

  test("may name UTF-8 as its character set", async () => {
    const answer = await send("/api/v1/echo", good, {
      "content-type": "Application/JSON; charset=UTF-8",
    });
    expect(answer.status).toBe(200);
  });

  test("beyond 1 MiB is a BAD_REQUEST, declared or not", async () => {
    const fits = JSON.stringify({ name: "x".repeat(1_048_576 - 30), size: { width: 1 } });
    expect(fits).toHaveLength(1_048_576);
    expect((await send("/api/v1/echo", fits)).status).toBe(200);
    const over = await send("/api/v1/echo", `${fits} `);
    expect(over.refusal).toBe("400 BAD_REQUEST");
    const declared = await send("/api/v1/echo", "{}", { "content-length": "1048577" });
    expect(declared.status).toBe(400);
  });
});

describe("a query", () => {
  test("is converted by its declaration, with defaults, and unknown parameters are ignored", async () => {
    const answer = await call("/api/v1/list?limit=7&sortOrder=asc&startAfter=&colour=red");
    expect(answer.body).toEqual({
      limit: 7,
      sortBy: "createdAt",
      sortOrder: "asc",
    });
  });

  test("has defaults: fifty, the newest first", async () => {
    expect((await call("/api/v1/list")).body).toEqual({
      limit: 50,
      sortBy: "createdAt",
      sortOrder: "desc",
    });
  });

  test.each(["a,b", "[1]", '{"a":1}', "a b&c=d"])("takes the text %p as it is", async (text) => {
    const answer = await call(`/api/v1/list?startAfter=${encodeURIComponent(text)}`);
    expect(answer.body).toMatchObject({ startAfter: text });
  });

  test.each([
    ["2026-01-02T03:04:05Z", Date.UTC(2026, 0, 2, 3, 4, 5)],
    ["2026-01-02T03:04%2B02:00", Date.UTC(2026, 0, 2, 1, 4)],
  ])("reads the time %s", async (text, from) => {
    expect((await call(`/api/v1/list?from=${text}`)).body).toMatchObject({ from });
  });

  test.each(["2026-01-02T03:04:05", "2026-01-02", "2026-01-02T03:04+02:00", "2026-02-31T00:00Z"])(
    "refuses the time %s, which is no instant",
    async (text) => {
      const answer = await call(`/api/v1/list?from=${text}`);
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["from"]]);
    },
  );

  test("refuses a period that ends before it begins, and takes an empty one", async () => {
    const [early, late] = ["2026-01-02T03:00:00Z", "2026-01-02T02:00:01-01:00"];
    const answer = await call(`/api/v1/list?from=${late}&to=${early}`);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["from"]]);
    for (const [from, to] of [
      [early, early],
      [early, late],
    ]) {
      expect((await call(`/api/v1/list?from=${from}&to=${to}`)).status).toBe(200);
    }
  });

  test.each(["a%00b", "%ED%A0%80", "a%ff", "%EF%BF%BD%C3"])(
    "refuses a text with NUL, lone surrogates or no characters: %s",
    async (text) => {
      const answer = await call(`/api/v1/list?startAfter=${text}`);
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["startAfter"]]);
    },
  );

  test.each(["%EF%BF%BD", "\ufffd", "5%25", "5%", "%C3%A9"])("takes the text %s", async (text) => {
    expect((await call(`/api/v1/list?startAfter=${text}`)).status).toBe(200);
  });

  test.each(["0", "101", "1.5", "5x", "1e1", " 7"])(
    "refuses the limit %p by its name",
    async (limit) => {
      const answer = await call(`/api/v1/list?limit=${encodeURIComponent(limit)}`);
      expect(answer.refusal).toBe("400 VALIDATION_ERROR");
      expect(answer.body).toMatchObject({
        error: { details: [{ path: "limit", message: expect.stringContaining("1 to 100") }] },
      });
    },
  );

  test.each(["limit", "sortBy", "from"])(
    "refuses %s when it is empty or given twice",
    async (name) => {
      const values = { limit: "7", sortBy: "total", from: "2026-01-02T03:04:05Z" };
      const value = Object.entries(values).find(([key]) => key === name)?.[1];
      for (const query of [`${name}=`, `${name}`, `${name}=${value}&${name}=${value}`]) {
        const answer = await call(`/api/v1/list?${query}`);
        expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [name]]);
      }
      expect((await call(`/api/v1/list?${name}=${value}`)).status).toBe(200);
    },
  );

  test.each([
    ["", false],
    ["?whole", true],
    ["?whole=", true],
    ["?whole=true", true],
    ["?whole=false", false],
  ])("has a flag that %p makes %p", async (search, whole) => {
    const answer = await call(`/api/v1/things/t1${search}`, { headers: KEY });
    expect(answer.body).toMatchObject({ whole });
  });

  test.each(["whole=1", "whole=yes", "whole=TRUE", "whole&whole"])(
    "refuses a flag as %s",
    async (search) => {
      const answer = await call(`/api/v1/things/t1?${search}`, { headers: KEY });
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["whole"]]);
    },
  );

  test("reports every fault at once", async () => {
    const answer = await call("/api/v1/list?limit=0&sortBy=colour&from=yesterday");
    expect(answer.issuePaths).toEqual(["limit", "sortBy", "from"]);
  });
});

describe("a path", () => {
  test("nobody knows is 404 in the envelope", async () => {
    const answer = await call("/api/v1/nothing");
    expect(answer.refusal).toBe("404 NOT_FOUND");
  });

  test.each(["%ff", "%c3%28", "%"])("with %s in the place of a name is 404", async (name) => {
    expect((await call(`/api/v1/things/${name}`)).refusal).toBe("404 NOT_FOUND");
  });

  test("alone tells the version of the API", async () => {
    expect((await call("/api/v2/open")).refusal).toBe("404 NOT_FOUND");
    const headers = { accept: "application/vnd.fiscald.v2+json", "api-version": "2" };
    const answer = await call("/api/v1/open?version=2", { headers });
    expect([answer.status, answer.body]).toEqual([200, { open: true }]);
  });

  test("with the wrong method is 405 and names the right ones", async () => {
    const answer = await call("/api/v1/things/t1", { method: "PUT" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("DELETE, GET, HEAD");
    expect(answer.refusal).toBe("405 METHOD_NOT_ALLOWED");
  });

  test("beside a parameter has its own methods", async () => {
    const answer = await call("/api/v1/things/newest", { method: "DELETE" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await call("/api/v1/things/newest")).body).toEqual({ id: "newest" });
  });

  test("with OPTIONS is 405 when no page of another origin may call", async () => {
    expect((await call("/api/v1/open", { method: "OPTIONS" })).status).toBe(405);
  });

  test.each(["/api/v1/things/%zz", "/api/v1//open", "/api/v1/", "/api/v1x"])(
    "such as %p is refused without a defect",
    async (path) => {
      const answer = await call(path, { headers: KEY });
      expect([200, 400, 404]).toContain(answer.status);
      expect(answer.headers.get("x-request-id")).toBeTruthy();
    },
  );
});

describe("a failure", () => {
  test("that nobody expected is a fixed 500 and is logged with the request's id", async () => {
    const answer = await call("/api/v1/broken", { headers: { "x-request-id": "trace-7" } });
    expect([answer.status, answer.body]).toEqual([
      500,
      { error: { code: "INTERNAL_ERROR", message: "An unexpected error occurred" } },
    ]);
    const logged = lines.find((line) => line.includes("request failed"));
    expect(logged).toContain("trace-7");
    expect(logged).toContain("TypeError");
  });

  test("of the disk is 503", async () => {
    const answer = await call("/api/v1/full");
    expect(answer.refusal).toBe("503 SERVICE_UNAVAILABLE");
  });

  test("to be ready yet is 503 for every route", async () => {
    app = build({ ready: () => false });
    const answer = await call("/api/v1/open");
    expect(answer.refusal).toBe("503 SERVICE_UNAVAILABLE");
  });
});

describe("request tracing", () => {
  test.each(["/api/v1/open", "/api/v1/nothing", "/api/v1/broken", "/elsewhere"])(
    "puts the client's id on the answer of %p unchanged",
    async (path) => {
      const id = `weird ,;"<id>" ${"x".repeat(300)}`;
      const answer = await call(path, { headers: { "X-REQUEST-ID": id } });
      expect(answer.headers.get("x-request-id")).toBe(id);
    },
  );

  test("makes a UUID v4 when the client sent none or an empty one", async () => {
    for (const headers of [{}, { "x-request-id": "" }]) {
      const answer = await call("/api/v1/open", { headers });
      expect(answer.headers.get("x-request-id")).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });

  test("writes one access line per request, with the organization and without the query", async () => {
    await call("/api/v1/things/t1?kind=a", { headers: { ...KEY, "x-request-id": "r1" } });
    expect(lines).toHaveLength(1);
    const line = JSON.parse(lines[0] ?? "");
    expect(line).toMatchObject({
      msg: "request",
      method: "GET",
      path: "/api/v1/things/t1",
      status: 200,
      ms: 0,
      requestId: "r1",
      orgId: "org0",
    });
    expect(lines[0]).not.toContain("kind");
    expect(lines[0]).not.toContain("svc_live");
  });

  test.each(["/livez", "/healthz", "/ready", "/health"])(
    "writes no access line for the probe %s",
    async (probe) => {
      for (const path of [probe, `/api/v1${probe}`, `${probe}/`, `/api/v1${probe}/`]) {
        const answer = await call(path, { headers: { "x-request-id": "p1" } });
        expect(answer.headers.get("x-request-id")).toBe("p1");
      }
      expect(lines).toEqual([]);
    },
  );
});

describe("rate limits", () => {
  const limits = { globalMax: 3, authMax: 2, commandsMax: 1, windowSeconds: 600 };
  const from = (address: string) => ({ "x-forwarded-for": address });

  test("say on every answer of the API what is left", async () => {
    app = build({ limits });
    const answer = await call("/api/v1/nothing");
    expect(answer.headers.get("ratelimit-limit")).toBe("3");
    expect(answer.headers.get("ratelimit-remaining")).toBe("2");
    expect(answer.headers.get("ratelimit-reset")).toBe("600");
    expect((await call("/elsewhere")).headers.has("ratelimit-limit")).toBe(false);
  });

  test("refuse with a flat body and Retry-After before the route runs", async () => {
    app = build({ limits });
    for (let i = 0; i < 3; i++) await call("/api/v1/open");
    clock.advance(1_500);
    const answer = await call("/api/v1/open");
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      code: "RATE_LIMIT_EXCEEDED",
      message: expect.any(String),
      status: 429,
    });
    expect(answer.headers.get("retry-after")).toBe("599");
    expect(answer.headers.get("ratelimit-remaining")).toBe("0");
    expect(answer.headers.get("x-request-id")).toBeTruthy();
    expect(lines.at(-1)).toContain('"status":429');
  });

  test("begin anew when the window is over", async () => {
    app = build({ limits });
    for (let i = 0; i < 4; i++) await call("/api/v1/open");
    clock.advance(600_000);
    expect((await call("/api/v1/open")).headers.get("ratelimit-remaining")).toBe("2");
  });

  test.each([
    ["POST", "/api/v1/things/t1/jobs"],
    ["POST", "/api/v1/things/t1/jobs/"],
    ["GET", "/api/v1/things/t1/measure"],
    ["HEAD", "/api/v1/things/t1/measure?again"],
  ])("count %s %s, which queues a command, by a bucket of its own too", async (method, path) => {
    app = build({ limits });
    const first = await call("/api/v1/things/t2/jobs", { method: "POST" });
    expect([first.status, first.headers.get("ratelimit-limit")]).toEqual([200, "1"]);
    const second = await call(path, { method });
    expect([second.status, second.headers.get("ratelimit-limit")]).toEqual([429, "1"]);
    const other = await call("/api/v1/things/t1/jobs");
    expect([other.status, other.headers.get("ratelimit-limit")]).toEqual([200, "3"]);
  });

  test("count authentication by the address, whatever key is sent", async () => {
    app = build({ limits });
    for (const n of [1, 2, 3]) {
      const answer = await send("/api/v1/auth/login", "{}", {
        "x-api-key": `svc_live_org${n}00000000_`,
      });
      expect(answer.status).toBe(n === 3 ? 429 : 404);
      expect(answer.headers.get("ratelimit-limit")).toBe("2");
    }
  });

  test("tell clients apart by 20 characters of the key, else by address", async () => {
    app = build({ limits });
    const remaining = async (headers: Record<string, string>) =>
      (await call("/api/v1/open", { headers })).headers.get("ratelimit-remaining");
    expect(await remaining({ "x-api-key": "svc_live_abcdefghijkl_1" })).toBe("2");
    expect(await remaining({ authorization: "Bearer svc_live_abcdefghijkl_2" })).toBe("1");
    expect(await remaining({ "x-api-key": "svc_live_abcdefghijkX_1" })).toBe("0");
    expect(await remaining({ "x-api-key": "svc_live_Xbcdefghijkl_1" })).toBe("2");
    expect(await remaining(from("10.0.0.1"))).toBe("2");
    expect(await remaining(from("10.0.0.1"))).toBe("1");
    expect(await remaining(from("10.0.0.2"))).toBe("2");
    expect(await remaining(from("2001:db8:0:1::5"))).toBe("2");
    expect(await remaining(from("2001:db8:0:1:ffff::6"))).toBe("1");
    expect(await remaining(from("2001:db8:0:2::5"))).toBe("2");
  });

  test("count what is no valid credential by its address, apart from all that is valid", async () => {
    app = build({ limits });
    const valid = { "x-api-key": "svc_live_abcdefghijkl_1" };
    const remaining = async (headers: Record<string, string>) => {
      const answer = await call("/api/v1/open", { headers });
      return answer.status === 429 ? "429" : answer.headers.get("ratelimit-remaining");
    };
    const forgeries = ["abcdefghijkl", "abcdefghijkl", "Xbcdefghijkl", "Ybcdefghijkl"];
    const answers: (string | null)[] = [];
    for (const org of forgeries) {
      answers.push(await remaining({ "x-api-key": `svc_live_${org}_forged`, ...from("10.0.0.9") }));
    }
    expect(answers).toEqual(["2", "1", "0", "429"]);
    expect(await remaining({ "x-api-key": "no key at all", ...from("10.0.0.9") })).toBe("429");
    expect(await remaining({ authorization: "Basic YTpi", ...from("10.0.0.9") })).toBe("429");
    // Whoever looks after the shop sees it in the log, once in a window.
    const told = lines.filter((line) => line.includes("no valid credential"));
    expect(told).toEqual([expect.stringContaining('"address":"10.0.0.9"')]);
    // The shop's key from the same address, the same address without any, and another address.
    expect(await remaining({ ...valid, ...from("10.0.0.9") })).toBe("2");
    expect(await remaining(from("10.0.0.9"))).toBe("2");
    expect(await remaining({ "x-api-key": "no-key", ...from("10.0.0.8") })).toBe("2");
  });

  test("count a ticket that opens nothing apart, too, and refuse more of them", async () => {
    app = build({ limits });
    const listened = async (ticket: string) => {
      const answer = await call(`/api/v1/listen?ticket=${ticket}`, { headers: from("10.0.0.9") });
      return [answer.status, answer.headers.get("ratelimit-remaining")];
    };
    const left = async (headers: Record<string, string>) =>
      (await call("/api/v1/open", { headers })).headers.get("ratelimit-remaining");
    expect(await listened("good")).toEqual([200, "2"]);
    const stale = [await listened("old"), await listened("old"), await listened("old")];
    expect(stale).toEqual([
      [401, "2"],
      [401, "1"],
      [401, "0"],
    ]);
    expect(await listened("old")).toEqual([429, "0"]);
    expect(await listened("good")).toEqual([200, "1"]);
    expect(await left({ "x-api-key": "no-key", ...from("10.0.0.9") })).toBe("0");
    expect(await left(from("10.0.0.9"))).toBe("0");
  });

  test("leave the commands of an address their bucket, whatever a revoked till there sends", async () => {
    app = build({ limits: { ...limits, globalMax: 9, commandsMax: 2 } });
    const submit = async (headers: Record<string, string>) =>
      (await send("/api/v1/things/a/jobs", "{}", headers)).status;
    const revoked = { "x-api-key": "svc_live_abcdefghijkl_forged" };
    for (const _ of [1, 2, 3, 4]) await submit(revoked);
    const login = { authorization: "Bearer token" };
    expect([await submit(login), await submit(login), await submit(login)]).toEqual([
      200, 200, 429,
    ]);
  });

  test("count a login by its address too when it comes with an invalid credential", async () => {
    app = build({ limits });
    const login = () => send("/api/v1/auth/login", "{}", { "x-api-key": "no-key" });
    const statuses = [(await login()).status, (await login()).status, (await login()).status];
    expect(statuses).toEqual([404, 404, 429]);
  });

  test("leave logins and sessions their bucket, whatever forgeries and strangers' reads do", async () => {
    app = build({ limits: { ...limits, globalMax: 9 } });
    const left = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await call(`/api/v1/auth/${path}`, { headers });
      return [answer.status, answer.headers.get("ratelimit-limit")];
    };
    const forged = { "x-api-key": "no-key" };
    expect([await left("me", forged), await left("me", forged)]).toEqual([
      [404, "2"],
      [404, "2"],
    ]);
    expect(await left("me", forged)).toEqual([429, "2"]);
    // As a page on the web may have a browser in the shop ask, which reads no answer.
    expect(await left("registration")).toEqual([404, "9"]);
    expect(await left("registration")).toEqual([404, "9"]);
    // What it may have a browser post, and the question that browsers ask before other kinds.
    const origin = "https://page.example";
    const posted = [1, 2, 3].map(() => send("/api/v1/auth/login", "{}", { origin }));
    expect((await Promise.all(posted)).map(({ status }) => status)).toEqual([429, 429, 429]);
    const login = await send("/api/v1/auth/login", "{}");
    expect([login.status, login.headers.get("ratelimit-remaining")]).toEqual([404, "1"]);
  });

  test("believe X-Forwarded-For only when told to", async () => {
    app = build({ limits, trustProxy: false });
    await call("/api/v1/open", { headers: from("10.0.0.1") });
    const answer = await call("/api/v1/open", { headers: from("10.0.0.2") });
    expect(answer.headers.get("ratelimit-remaining")).toBe("1");
  });

  test("do not count probes", async () => {
    app = build({ limits });
    for (let i = 0; i < 5; i++) {
      for (const path of ["/api/v1/healthz", "/api/v1/healthz/"]) {
        expect((await call(path)).headers.get("ratelimit-remaining")).toBe("3");
      }
    }
  });
});

describe("cross-origin calls", () => {
  const origin = "https://till.example.com";

  test("get no permission unless the origin is configured", async () => {
    const answer = await call("/api/v1/open", { headers: { origin } });
    expect(answer.headers.has("access-control-allow-origin")).toBe(false);
    app = build({ corsOrigins: [origin] });
    const other = await call("/api/v1/open", { headers: { origin: "https://evil.example.com" } });
    expect(other.headers.has("access-control-allow-origin")).toBe(false);
    expect(other.headers.get("vary")).toBe("Origin");
  });

  test("from a configured origin may be asked about and made", async () => {
    app = build({ corsOrigins: [origin] });
    const preflight = await call("/api/v1/things", {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    // What a page sends that listens to events and was interrupted.
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Last-Event-ID");
    const answer = await call("/api/v1/open", { headers: { origin } });
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    const exposed = answer.headers.get("access-control-expose-headers")?.split(", ");
    expect(exposed).toEqual(expect.arrayContaining(["X-Request-Id", "Content-Disposition"]));
  });
});
