/** A body that comes after its head, when whoever sent it may no longer do what the route does. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { Role, Scope } from "#core/access.ts";
import type { ApiAnswer, ApiClient } from "../http/testing/api-client.ts";
import { type AccessBench, createAccessBench, type Parameter } from "./testing/access-bench.ts";
import { CONTRACT_ROUTES, type Need } from "./testing/contract-access.ts";

const API = "/api/v1";

/** A route that takes a body and does not take it from everybody. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly need: Need;
  readonly example: unknown;
}

const Document = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Record(
      Type.String(),
      Type.Object({
        requestBody: Type.Optional(
          Type.Object({
            content: Type.Object({
              "application/json": Type.Object({ example: Type.Optional(Type.Unknown()) }),
            }),
          }),
        ),
      }),
    ),
  ),
});

let bench: AccessBench;
let routes: readonly Route[];
beforeAll(async () => {
  bench = await createAccessBench();
  const { paths } = (await bench.client.get(`${API}/openapi.json`)).as(Document);
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([name, { requestBody }]): Route[] => {
      const method = name.toUpperCase();
      const need = CONTRACT_ROUTES.get(`${method} ${path}`) ?? "everybody";
      if (requestBody === undefined || need === "everybody") return [];
      // The printer of the bench is no simulated one, which is asked before the body.
      if (path.endsWith("/faults")) return [];
      return [{ method, path, need, example: requestBody.content["application/json"].example }];
    }),
  );
});
afterAll(() => bench.close());

/** Sends the head, and the body once the head was let in and that has been done. */
function callLate(
  client: ApiClient,
  { method, path, example }: Route,
  meanwhile: () => Promise<void>,
): Promise<ApiAnswer> {
  const place = path.replace(/\{(\w+)\}/, (_, name: Parameter) => bench.ids[name]);
  const rawBody = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await meanwhile();
        controller.enqueue(Buffer.from(JSON.stringify(example ?? {})));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return client.call(method, place, { rawBody });
}

/** Calls each of the routes; what does not answer as it should is listed. */
async function walk(
  called: readonly Route[],
  expected: string,
  late: (route: Route) => Promise<ApiAnswer>,
): Promise<void> {
  const wrong: string[] = [];
  for (const route of called) {
    const { refusal } = await late(route);
    if (refusal !== expected) wrong.push(`${route.method} ${route.path}: ${refusal}`);
  }
  expect(called.length).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
}

const ofRole = (need: Need): Role =>
  need === "operator" || need === "admin" || need === "owner" ? need : "admin";

/** What takes a key's place in a route that any of several scopes opens. */
const ofScope = (need: Need): Scope => (need.endsWith("listener") ? "commands" : (need as Scope));

const takesKey = ({ need }: Route): boolean =>
  need !== "operator" && need !== "admin" && need !== "owner";

async function done(asked: Promise<ApiAnswer>): Promise<void> {
  const { status, text } = await asked;
  if (status >= 300) throw new Error(`refused: ${text}`);
}

describe("a login", () => {
  const member = ({ userId }: { userId: string }) => `${API}/org/members/${userId}`;

  test("that was removed while its body was on the way changes nothing any more", () =>
    walk(routes, "401 UNAUTHORIZED", async (route) => {
      const who = await bench.newcomer(ofRole(route.need));
      return callLate(who.client, route, () => done(bench.owner.delete(member(who))));
    }));

  test("that was given a lower role meanwhile changes nothing any more", () =>
    walk(
      routes.filter(({ need }) => need !== "operator"),
      "401 UNAUTHORIZED",
      async (route) => {
        const who = await bench.newcomer(ofRole(route.need));
        return callLate(who.client, route, () =>
          done(bench.owner.patch(member(who), { role: "operator" })),
        );
      },
    ));
});

describe("an API key", () => {
  const place = ({ id }: { id: string }) => `${API}/org/api-keys/${id}`;

  test("that was made inactive while its body was on the way changes nothing any more", () =>
    walk(routes.filter(takesKey), "401 UNAUTHORIZED", async (route) => {
      const key = await bench.newKey(ofScope(route.need));
      return callLate(bench.client.as(key.key), route, () =>
        done(bench.owner.patch(place(key), { active: false })),
      );
    }));

  test("that was deleted meanwhile still ends what it had begun, as the contract has it", async () => {
    const key = await bench.newKey("devices:write");
    const route: Route = {
      ...{ method: "POST", path: `${API}/org/locations`, need: "devices:write" },
      example: { name: "Corner" },
    };
    const answer = await callLate(bench.client.as(key.key), route, () =>
      done(bench.owner.delete(place(key))),
    );
    expect(answer.status).toBe(201);
    expect((await bench.client.as(key.key).get(`${API}/devices`)).status).toBe(401);
  });
});

test("a removed admin is not left with an API key that he had begun to make", async () => {
  const admin = await bench.newcomer("admin");
  const route: Route = {
    ...{ method: "POST", path: `${API}/org/api-keys`, need: "admin" },
    example: { label: "back door", scopes: ["all"] },
  };
  const answer = await callLate(admin.client, route, () =>
    done(bench.owner.delete(`${API}/org/members/${admin.userId}`)),
  );
  expect(answer.refusal).toBe("401 UNAUTHORIZED");
  expect((await bench.owner.get(`${API}/org/api-keys`)).text).not.toContain("back door");
});
