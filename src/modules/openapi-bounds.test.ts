/** What the OpenAPI document says of bounds that a request has to keep to. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { patternWords } from "#core/patterns.ts";
import { type ApiBench, createApiBench } from "./testing/api-bench.ts";

const Operation = Type.Object({
  parameters: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        required: Type.Optional(Type.Boolean()),
        schema: Type.Unknown(),
      }),
    ),
  ),
  requestBody: Type.Optional(
    Type.Object({
      required: Type.Boolean(),
      content: Type.Object({ "application/json": Type.Object({ schema: Type.Unknown() }) }),
    }),
  ),
});
const Document = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});

let bench: ApiBench;
let paths: (typeof Document)["static"]["paths"];
beforeAll(async () => {
  bench = createApiBench();
  paths = (await bench.client.get("/api/v1/openapi.json")).as(Document).paths;
});
afterAll(() => bench.close());

/** @param name as `POST /devices` */
function operationOf(name: string) {
  const [method = "", path = ""] = name.split(" ");
  const found = paths[`/api/v1${path}`]?.[method.toLowerCase()];
  if (found === undefined) throw new RangeError(`there is no ${name}`);
  return found;
}

function schemaOf(name: string): unknown {
  return operationOf(name).requestBody?.content["application/json"].schema;
}

describe("a change of a record", () => {
  test("needs a body with a property at least", () => {
    const changes = Object.keys(paths).filter((path) => paths[path]?.patch !== undefined);
    expect(changes.length).toBeGreaterThan(5);
    for (const path of changes) {
      const name = `PATCH ${path.replace("/api/v1", "")}`;
      expect([name, operationOf(name).requestBody?.required, schemaOf(name)]).toEqual([
        ...[name, true],
        expect.objectContaining({ minProperties: 1 }),
      ]);
    }
  });
});

describe("an instant of a body", () => {
  test.each([
    ["POST /org/api-keys", "expiresAt"],
    ["POST /receipts", "issuedAt"],
    ["POST /controllers/{controllerId}", "connectedAt"],
    ["PATCH /controllers/{controllerId}", "connectedAt"],
  ])("of %s has its format: %s", (name, field) => {
    expect(schemaOf(name)).toHaveProperty(["properties", field, "format"], "date-time");
  });
});

describe("an amount of a body", () => {
  const AMOUNT = { exclusiveMinimum: 0, maximum: 99_999_999.99 };
  test.each([
    ["POST /receipts", "items.items.properties.price", { minimum: 0, maximum: 99_999_999.99 }],
    ["POST /receipts", "items.items.properties.quantity", { maximum: 999_999.999 }],
    ["POST /receipts", "payments.items.properties.amount", AMOUNT],
    ["POST /receipts", "subtotalModifiers.items.properties.value", AMOUNT],
    ["POST /receipts/{receiptId}/storno", "payments.items.properties.amount", AMOUNT],
  ])("of %s has its bounds: %s", (name, field, bounds) => {
    expect(schemaOf(name)).toHaveProperty(`properties.${field}`, expect.objectContaining(bounds));
  });
});

describe("a text of a body", () => {
  test.each([
    ["POST /devices/{deviceId}/logo", "properties.logo", { contentEncoding: "base64" }],
    ["POST /commands", "allOf.0.properties.deviceId", { minLength: 1 }],
    ["POST /devices/detect", "properties.host", { minLength: 1, maxLength: 253 }],
  ])("of %s has its form: %s", (name, field, form) => {
    expect(schemaOf(name)).toHaveProperty(field, expect.objectContaining(form));
  });
});

describe("a parameter", () => {
  test.each([
    ["GET /reports/summary", ["from", "to"]],
    ["GET /controllers/connect", ["controllerId"]],
    ["GET /reports/journal", []],
  ])("of %s is required where it is: %p", (name, required) => {
    const { parameters = [] } = operationOf(name);
    const names = parameters.filter((one) => one.required === true).map((one) => one.name);
    expect(names).toEqual(required);
  });

  const EVENT = "evt_01M7XBC7BKJTTK1BYJEVYS1RPR";
  test.each([
    ["POST /controllers/{controllerId}", "controllerId", ["tablet-1", "tablet 1"]],
    ["POST /controllers/{controllerId}/fcm-token", "controllerId", ["tablet-1", ""]],
    ["GET /reports/daily", "date", ["2999-12-31", "3000-01-01"]],
    ["GET /events", "since", [EVENT, "yesterday"]],
    ["GET /events/stream", "since", [EVENT, "yesterday"]],
    ["GET /events/stream", "Last-Event-ID", [EVENT, EVENT.toLowerCase()]],
  ])("of %s has its form: %s", (name, parameter, [right = "", wrong = ""]) => {
    const found = operationOf(name).parameters?.filter((one) => one.name === parameter) ?? [];
    expect(found).toHaveLength(1);
    const { pattern = "" }: { pattern?: string } = Object(found[0]?.schema);
    expect([right, wrong].map((text) => new RegExp(pattern).test(text))).toEqual([true, false]);
  });
});

describe("a pattern of a request's body", () => {
  test("has words for whoever sends something else", async () => {
    const document = (await bench.client.get("/api/v1/openapi.json")).body;
    const bodies = Object.values(paths)
      .flatMap((path) => Object.values(path))
      .map(({ requestBody }) => requestBody);
    const found = patternsIn(document, bodies);
    expect(found.size).toBeGreaterThan(5);
    expect([...found].filter((pattern) => patternWords(pattern) === undefined)).toEqual([]);
  });
});

/** All patterns of the schemas in `value`, those that it refers to included. */
function patternsIn(document: unknown, value: unknown, seen = new Set<unknown>()): Set<string> {
  if (typeof value !== "object" || value === null || seen.has(value)) return new Set();
  seen.add(value);
  const inside = Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    if (name === "pattern" && typeof part === "string") return [part];
    const target = name === "$ref" && typeof part === "string" ? targetOf(document, part) : part;
    return [...patternsIn(document, target, seen)];
  });
  return new Set(inside);
}

function targetOf(document: unknown, reference: string): unknown {
  return reference
    .split("/")
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
}
