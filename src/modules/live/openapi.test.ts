/** The live routes in the OpenAPI document. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { CATALOGUE, effectOf } from "#core/command/catalogue.ts";
import { follow } from "../../http/testing/openapi-faults.ts";
import { LIVE_ROUTES, type LiveRoute } from "./table.ts";
import { createLiveBench, exampleOf, type LiveBench, RESULTS } from "./testing/live-bench.ts";

const Operation = Type.Object({
  summary: Type.String(),
  description: Type.String(),
  responses: Type.Record(Type.String(), Type.Unknown()),
});
const Document = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});
const ROWS = LIVE_ROUTES.map((row) => [`${row.method} ${row.path}`, row] as const);
const COUNTED = "Counts in the rate limit for commands too.";

let bench: LiveBench;
let document: unknown;
let paths: (typeof Document)["static"]["paths"];
beforeAll(async () => {
  bench = await createLiveBench();
  const answer = await bench.client.get("/api/v1/openapi.json");
  document = answer.body;
  paths = answer.as(Document).paths;
});
afterAll(() => bench.close());

const operationOf = ({ method, path }: LiveRoute) =>
  paths[`/api/v1/devices/{deviceId}/${path}`]?.[method.toLowerCase()];

test("every route that queues a command says that it counts as one", () => {
  const counted = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { description }]) => description.includes(COUNTED))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const live = LIVE_ROUTES.map((row) => `${row.method} /api/v1/devices/{deviceId}/${row.path}`);
  expect(counted).toEqual(expect.arrayContaining(live));
  // Elsewhere a 202 is the answer of whoever queued one.
  const queuing = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(
        ([, { responses }]) =>
          follow(responses, "#/202/description") === "Success" &&
          !/\/(auth|backups)(\/|$)/.test(path),
      )
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  expect(queuing).not.toEqual([]);
  expect(counted).toEqual(expect.arrayContaining(queuing));
});

describe.each(ROWS)("%s", (_name, row) => {
  test("lists each status that it answers with", () => {
    const isRead = effectOf(row.type) === "none";
    const statuses = [
      ...[row.status, 401, 403, 404, 422, 429, 500, 503, "default"],
      ...(row.body ? [400] : []),
      ...(isRead ? [] : [409]),
    ];
    const responses = operationOf(row)?.responses ?? {};
    expect(Object.keys(responses).toSorted()).toEqual(statuses.map(String).toSorted());
    for (const status of statuses) {
      if (status === 429 || status === "default" || status === row.status) continue;
      const shared = follow(responses, `#/${status}/$ref`);
      const answer =
        shared === undefined ? follow(responses, `#/${status}`) : follow(document, String(shared));
      expect(follow(answer, "#/content/application~1json/schema")).toEqual({
        $ref: "#/components/schemas/Error",
      });
    }
  });

  test("shows its answer, which is made of the result of its command", () => {
    const { responses = {}, description = "", summary } = operationOf(row) ?? {};
    const shown = follow(responses, `#/${row.status}/content/application~1json/schema`);
    expect(shown).toMatchObject({ properties: { deviceId: {}, timestamp: {} } });
    if (effectOf(row.type) === "none") {
      const capabilities = follow(shown, "#/properties/capabilities/properties");
      const fields: unknown = capabilities ?? follow(shown, "#/properties");
      const { properties } = CATALOGUE[row.type].result;
      expect(fields).toMatchObject(
        Object.fromEntries(Object.keys(properties).map((name) => [name, {}])),
      );
    }
    expect(description).toContain(`\`${row.type}\``);
    expect(summary).toBe(CATALOGUE[row.type].summary);
  });

  test("has an example of its body that works when it is sent", async () => {
    const path = `#/paths/~1api~1v1~1devices~1{deviceId}~1${row.path.replace("/", "~1")}`;
    const body = `${path}/${row.method.toLowerCase()}/requestBody`;
    if (!row.body) {
      expect(follow(document, body)).toBeUndefined();
      return;
    }
    const example = follow(document, `${body}/content/application~1json/example`);
    expect(example).toEqual(exampleOf(row));
    const result = { success: true, data: RESULTS[row.type] ?? {} };
    expect((await bench.answered(row, result, example)).status).toBe(row.status);
  });
});
