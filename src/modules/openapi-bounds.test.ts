/** What the OpenAPI document says of bounds that a request has to keep to. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { CATALOGUE } from "#core/command/catalogue.ts";
import {
  BODY_BYTES_MAX,
  LOGO_CHARACTERS_MAX,
  PAYLOAD_BYTES_MAX,
  PAYLOAD_DEPTH_MAX,
} from "#core/limits.ts";
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

const BASE64 = "^[A-Za-z0-9+/]+={0,2}$";
const DEVICE_TIME = expect.stringMatching(/^\^.*T.*Z.*\$$/);

describe("a text of a body", () => {
  test.each([
    ["POST /devices/{deviceId}/logo", "properties.logo", { contentEncoding: "base64" }],
    ["POST /devices/{deviceId}/logo", "properties.logo", { pattern: BASE64 }],
    ["POST /org/webhooks", "properties.url", { pattern: "^[Hh][Tt][Tt][Pp][Ss]://" }],
    ["PATCH /org/webhooks/{webhookId}", "properties.url", { pattern: "^[Hh][Tt][Tt][Pp][Ss]://" }],
    ["POST /devices/{deviceId}/set-datetime", "properties.datetime", { pattern: DEVICE_TIME }],
    [
      "POST /devices/{deviceId}/reversal",
      "properties.originalReceiptDateTime",
      { pattern: DEVICE_TIME },
    ],
    ["POST /commands", "allOf.0.properties.deviceId", { minLength: 1 }],
    ["POST /devices/detect", "properties.host", { minLength: 1, maxLength: 253 }],
  ])("of %s has its form: %s", (name, field, form) => {
    expect(schemaOf(name)).toHaveProperty(field, expect.objectContaining(form));
  });
});

describe("the till programmer's page", () => {
  const page = readFileSync(join(import.meta.dir, "../../docs/till-integration.md"), "utf8");
  const section = page.slice(page.indexOf("### Bounds"), page.indexOf("## Receipts, and"));
  const rows = new Map(
    [...section.matchAll(/^\| `(\S+)`[^|]*\| (.+) \|$/gm)].map(([, field = "", bounds = ""]) => [
      field,
      bounds,
    ]),
  );

  test.each(["print_receipt", "print_reversal_receipt", "void_receipt", "cash_in"] as const)(
    "has the bounds of each field of %s",
    (type) => {
      const bounded = boundsOf(CATALOGUE[type].payload);
      expect(bounded.length).toBeGreaterThan(0);
      for (const [field, bounds] of bounded)
        expect([field, rows.get(field)]).toEqual([field, bounds]);
    },
  );

  test("has those of a whole body and payload, and so has the document", async () => {
    expect(section).toContain(`at most ${BODY_BYTES_MAX / 1_048_576} MiB`);
    expect(section).toContain(`${PAYLOAD_BYTES_MAX / 1_024} KiB as JSON`);
    expect(section).toContain(`${PAYLOAD_DEPTH_MAX} levels`);
    expect(section).toContain(`${LOGO_CHARACTERS_MAX.toLocaleString("en")} characters`);
    const document = (await bench.client.get("/api/v1/openapi.json")).text;
    expect(document).toContain(`${PAYLOAD_BYTES_MAX / 1_024} KiB as JSON`);
    expect(document).toContain(`${PAYLOAD_DEPTH_MAX} levels`);
  });
});

interface Bounded {
  readonly properties?: Readonly<Record<string, Bounded>>;
  readonly items?: Bounded;
  readonly [keyword: string]: unknown;
}

/** The fields of a schema that have bounds, with them in words. */
function boundsOf(schema: Bounded, path = ""): (readonly [field: string, bounds: string])[] {
  const bounds = boundsWords(schema);
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    boundsOf(field, path === "" ? name : `${path}.${name}`),
  );
  const items = schema.items === undefined ? [] : boundsOf(schema.items, `${path}[]`);
  return [...(bounds === undefined ? [] : [[path, bounds] as const]), ...below, ...items];
}

function boundsWords(schema: Bounded): string | undefined {
  const least = schema.minLength ?? schema.minItems ?? schema.minimum;
  const most = schema.maxLength ?? schema.maxItems ?? schema.maximum;
  if (most === undefined) return undefined;
  const unit = schema.maxLength === undefined ? "" : " characters";
  if (schema.exclusiveMinimum !== undefined)
    return `over ${schema.exclusiveMinimum}, up to ${most}`;
  return least === undefined ? `up to ${most}${unit}` : `${least} to ${most}${unit}`;
}

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
