/** Every route with every kind of caller, against what the contract says of each. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ApiAnswer, ApiClient } from "../http/testing/api-client.ts";
import {
  type AccessBench,
  createAccessBench,
  MARKER,
  type Parameter,
} from "./testing/access-bench.ts";
import {
  CONTRACT_KEYS,
  CONTRACT_LOGINS,
  CONTRACT_ROUTES,
  type Need,
  OF_BOX,
} from "./testing/contract-access.ts";

const Body = Type.Object({
  content: Type.Object({ "application/json": Type.Object({ example: Type.Unknown() }) }),
});
const Document = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Record(
      Type.String(),
      Type.Object({
        "x-access": Type.Unknown(),
        security: Type.Unknown(),
        requestBody: Type.Optional(Body),
      }),
    ),
  ),
  components: Type.Object({ securitySchemes: Type.Record(Type.String(), Type.Unknown()) }),
});

/** One route of the app. */
interface Route {
  /** As the table has it. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly need: Need;
  readonly parameter: Parameter | undefined;
}

const ROLES = ["operator", "admin", "owner"] as const;

/** Of no shop, in place of a path's parameter. */
const NOTHING = "nothing";

/** Sent in place of the document's example, which would be refused for what it says. */
const BODIES: readonly (readonly [RegExp, unknown])[] = [
  [/ \/api\/v1\/auth\//, {}],
  [/\/release$/, {}],
  [/\/billing\/plan$/, { plan: "enterprise" }],
];

let bench: AccessBench;
let routes: readonly Route[];
const examples = new Map<string, unknown>();
beforeAll(async () => {
  bench = await createAccessBench();
  for (const [name, { requestBody }] of await operations()) {
    examples.set(name, requestBody?.content["application/json"].example);
  }
  routes = namesOf(bench).flatMap((name) => routeOf(name) ?? []);
});
afterAll(() => bench.close());

/** Every route that answers something of its own, as the app itself lists them. */
function namesOf({ app }: AccessBench): string[] {
  return app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
}

/** Undefined when the contract's table lacks it. */
function routeOf(name: string): Route | undefined {
  const [method = "", path = ""] = name.split(" ");
  const parameter = /\{(\w+)\}/.exec(path)?.[1] as Parameter | undefined;
  const need = CONTRACT_ROUTES.get(name);
  return need && { name, method, path, need, parameter };
}

async function operations() {
  const { paths } = (await bench.client.get("/api/v1/openapi.json")).as(Document);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, said]) => {
      return [`${method.toUpperCase()} ${path}`, said] as const;
    }),
  );
}

/** Answers that go on until the caller hangs up; who hears what is shown where they are made. */
const ENDLESS: readonly string[] = ["GET /api/v1/events/stream"];

/** The same route, asked so that its answer ends. */
function ending(route: Route): Route {
  return ENDLESS.includes(route.name) ? { ...route, method: "HEAD" } : route;
}

/** Calls a route about a thing of the shop, with the document's own example. */
function call(client: ApiClient, route: Route, id: string | undefined): Promise<ApiAnswer> {
  const body = bodyOf(route);
  const place = route.path.replace(/\{\w+\}/, id ?? "");
  return client.call(route.method, place, body === undefined ? {} : { body });
}

function bodyOf({ name }: Route): unknown {
  const [, example] = BODIES.find(([pattern]) => pattern.test(name)) ?? [name, examples.get(name)];
  return namesDevice(example) ? { ...example, deviceId: bench.ids.deviceId } : example;
}

function namesDevice(body: unknown): body is object {
  return typeof body === "object" && body !== null && "deviceId" in body;
}

/** Calls every route; what does not answer as it should is listed. */
async function walk(
  asked: (route: Route) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const route of routes) {
    const fault = await asked(route);
    if (fault !== undefined) wrong.push(`${route.name}: ${fault}`);
  }
  return wrong;
}

const standing = ({ parameter }: Route) => parameter && bench.ids[parameter];

describe("the contract's table", () => {
  test("has exactly the routes of the app", () => {
    expect(namesOf(bench).sort()).toEqual([...CONTRACT_ROUTES.keys()].sort());
  });

  test("is what the OpenAPI document declares", async () => {
    for (const [name, said] of await operations()) {
      const need = CONTRACT_ROUTES.get(name);
      const declared = need ? declarationOf(need, name) : ["no row in the table"];
      expect([name, said["x-access"], said.security]).toEqual([name, ...declared]);
    }
  });

  test("is what the OpenAPI document says of scopes and roles", async () => {
    const { components } = (await bench.client.get("/api/v1/openapi.json")).as(Document);
    const Scopes = Type.Record(Type.String(), Type.Array(Type.String()));
    const { apiKey, bearer } = components.securitySchemes;
    const scopes = Value.Decode(Type.Object({ "x-scopes": Scopes }), apiKey)["x-scopes"];
    const roles = Value.Decode(Type.Object({ "x-roles": Scopes }), bearer)["x-roles"];
    const asked = new Set<string>(
      [...CONTRACT_ROUTES.values()].filter((need) => !isListening(need)),
    );
    const covered = (held: readonly string[]) =>
      [...new Set(held.flatMap((scope) => scopes[scope] ?? []))].filter((one) => asked.has(one));
    for (const scope of keysOf(CONTRACT_KEYS)) {
      const needs = CONTRACT_KEYS[scope].filter((need) => !isListening(need));
      expect([scope, covered([scope]).sort()]).toEqual([scope, needs.sort()]);
    }
    expect(Object.keys(scopes).sort()).toEqual(keysOf(CONTRACT_KEYS).sort());
    for (const role of ROLES) {
      const needs = CONTRACT_LOGINS[role].filter((need) => !isRole(need) && !isListening(need));
      expect([role, covered(roles[role] ?? []).sort()]).toEqual([role, needs.sort()]);
    }
    expect(Object.keys(roles).sort()).toEqual([...ROLES].sort());
  });
});

/** What events need, whichever of them. */
const LISTENED = ["commands", "receipts:read", "reports", "devices:read"];

function isListening(need: Need): boolean {
  return need.endsWith("listener");
}

function isRole(need: Need): boolean {
  return ROLES.some((role) => role === need);
}

function declarationOf(need: Need, name: string): readonly unknown[] {
  if (need === "everybody") return [{ kind: "everybody" }, []];
  if (isListening(need)) {
    const ticket = need === "ticket or listener";
    const security = [{ apiKey: [] }, { bearer: [] }, ...(ticket ? [{ ticket: [] }] : [])];
    return [{ kind: "anyScope", scopes: expect.arrayContaining(LISTENED), ticket }, security];
  }
  return isRole(need)
    ? [
        { kind: "login", role: need, ...(OF_BOX.includes(name) && { ofBox: true }) },
        [{ bearer: [] }],
      ]
    : [{ kind: "scope", scope: need }, [{ apiKey: [] }, { bearer: [] }]];
}

describe("a caller", () => {
  const INVALID = [
    "no credential",
    "a malformed header",
    "a malformed key",
    "a malformed token",
    "an unknown key",
    "an unknown key as bearer",
    "an expired key",
    "an expired key as bearer",
    "an expired access token",
    "a deactivated key",
    "a rotated key",
    "a revoked key",
    "a deactivated member",
    "a removed member",
  ] as const;

  test.each(INVALID)("with %s gets 401, and what is open to everybody", async (kind) => {
    const { client, code } = bench.invalid[kind];
    const refused = `401 ${code}, WWW-Authenticate Bearer`;
    const wrong = await walk(async (route) => {
      if (route.need === "everybody") return await faultOfOpen(client, route);
      for (const id of [standing(route), NOTHING]) {
        const { refusal, headers } = await call(client, route, id);
        const said = `${refusal}, WWW-Authenticate ${headers.get("www-authenticate")}`;
        if (said !== refused) return said;
      }
      if (route.method !== "GET") return;
      const { status } = await call(client, { ...route, method: "HEAD" }, standing(route));
      if (status !== 401) return `${status} to HEAD`;
    });
    expect(wrong).toEqual([]);
  });

  test.each(keysOf(CONTRACT_KEYS))("with a key of just %s gets what it covers", async (scope) => {
    const client = bench.keys[scope];
    if (client === undefined) throw new Error(`there is no scope ${scope}`);
    expect(await walk((route) => fault(client, route, CONTRACT_KEYS[scope]))).toEqual([]);
  });

  test.each(keysOf(CONTRACT_LOGINS))("logged in as %s gets what the role covers", async (role) => {
    const client = bench.logins[role];
    expect(await walk((route) => fault(client, route, CONTRACT_LOGINS[role]))).toEqual([]);
  });
});

/** What is wrong with the answer to a caller that meets these needs. */
async function fault(client: ApiClient, route: Route, met: readonly Need[]) {
  const { need, parameter } = route;
  if (need === "everybody") return await faultOfOpen(client, route);
  if (met.includes(need)) {
    const id = parameter && (await bench.fresh(parameter));
    const answer = await call(client, ending(route), id);
    return NOT_THROUGH.includes(answer.status) ? `${answer.refusal}, though covered` : undefined;
  }
  // Whether the thing is there is not told to whom the route refuses.
  for (const id of [standing(route), NOTHING]) {
    const { refusal } = await call(client, route, id);
    if (refusal !== "403 FORBIDDEN") return `${refusal} in place of 403, for ${id}`;
  }
}

/** Answers that do not come from the work of a route. */
const NOT_THROUGH: readonly number[] = [401, 403, 404, 405, 429, 500];

/** A credential, good or bad, changes nothing about a route for everybody. */
async function faultOfOpen(client: ApiClient, route: Route) {
  const { status, refusal } = await call(client, route, standing(route));
  const { status: toNobody } = await call(bench.client, route, standing(route));
  if (status === toNobody && !NOT_THROUGH.includes(status)) return;
  return `${refusal}, and without a credential ${toNobody}`;
}

describe("another shop", () => {
  test("asks for what is there to be read", async () => {
    const silent: string[] = [];
    for (const route of routes.filter(isList)) {
      const plain = await call(bench.owner, route, undefined);
      const asked = await call(bench.owner, asking(route), undefined);
      if (!tells(plain, route) && !tells(asked, route)) silent.push(route.path);
    }
    expect(silent).toEqual(NOTHING_TO_TELL);
  });

  test.each(["owner", "key"] as const)("reads and changes nothing with its %s", async (kind) => {
    const client = bench.strangers[kind];
    await bench.atRest();
    const before = await everythingOf(bench);
    const wrong = await walk(async (route) => {
      if (route.need === "everybody" || (kind === "key" && isRole(route.need))) return;
      const isOurs =
        (route.parameter !== undefined && !OWN_ONLY.test(route.name)) || namesDevice(bodyOf(route));
      for (const way of [ending(route), asking(ending(route))]) {
        const answer = await call(client, way, standing(route));
        if (tells(answer, route)) return `tells ${answer.text}`;
        if (isOurs && answer.status !== 404) return `${answer.refusal} in place of 404`;
        if (OF_BOX.includes(route.name) && answer.status !== 403) {
          return `${answer.refusal} in place of 403`;
        }
      }
    });
    expect(wrong).toEqual([]);
    await bench.atRest();
    expect(await everythingOf(bench)).toEqual(before);
  });
});

function isList({ name, method, need, parameter }: Route): boolean {
  const isWhole = need !== "everybody" && !ENDLESS.includes(name);
  return method === "GET" && isWhole && parameter === undefined;
}

/** Nothing in these answers is the shop's alone, or nothing is there on the bench. */
const NOTHING_TO_TELL = [
  ...[
    "billing",
    "backups",
    "network",
    "update",
    "devices/ports",
    "controllers/connect",
    "events",
  ].map((path) => `/api/v1/${path}`),
  "/metrics",
];

/** Its ids are each organization's own: the same one may be in both. */
const OWN_ONLY = /\/controllers\/\{controllerId\}/;

/** The same route, asked about the shop's device where it can be. */
function asking(route: Route): Route {
  const query = new URLSearchParams({ deviceId: bench.ids.deviceId, ...PERIOD });
  return route.method === "GET" ? { ...route, path: `${route.path}?${query}` } : route;
}
const PERIOD = { from: "2026-01-15T00:00:00Z", to: "2026-01-16T00:00:00Z", by: "device" };

/** True when the answer holds a text of the shop, or an id of it that was not asked about. */
function tells({ status, text }: ApiAnswer, route: Route): boolean {
  if (text.includes(MARKER)) return true;
  // The other shop may have made a controller of the same name, and an alert's id is a short number.
  const { controllerId: _, alertId: __, ...ids } = bench.ids;
  const others = [...Object.values(ids), bench.orgId].filter((id) => id !== standing(route));
  return status < 300 && others.some((id) => text.includes(id));
}

/** All that the shop's owner can read. */
async function everythingOf({ owner }: AccessBench) {
  const read = routes.filter(({ method, need }) => method === "GET" && need !== "everybody");
  const told = read.map(ending).map(async (route) => {
    const { status, text } = await call(owner, route, standing(route));
    return [route.name, status, text] as const;
  });
  return Promise.all(told);
}

function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}
