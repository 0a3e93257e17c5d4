/** That what makes requests of schemas, for tests, reads all that a schema says. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { schemaFaults } from "../testing/documented-answers.ts";
import { breakOf } from "../testing/schema-breaks.ts";
import { type Narrow, type Schema, valuesOf } from "../testing/schema-values.ts";

const asMade: Narrow = (made) => made;
const text = { type: "string" };

/** The schema as the one of a document, with what its values are like. */
function made(schema: Schema, narrow: Narrow = asMade) {
  const document = { components: { schemas: { Text: text, Thing: schema } } };
  const faultOf = schemaFaults(document);
  return {
    document,
    values: valuesOf(schema, { document, narrow }, "body"),
    fault: (value: unknown) => faultOf("#/components/schemas/Thing", value),
  };
}

const SCHEMAS: readonly Schema[] = [
  { type: "string", minLength: 3, maxLength: 5 },
  { type: "string", pattern: "^[a-z]{2}-[0-9]+$", maxLength: 9 },
  { type: "string", format: "date-time" },
  { type: "string", format: "date", pattern: "^20" },
  { type: "string", const: "cash" },
  { type: "string", enum: ["cash", "card"] },
  { type: "integer", minimum: 1, maximum: 3 },
  { type: "number", exclusiveMinimum: 0, maximum: 0.5 },
  { type: "boolean" },
  { anyOf: [{ type: "null" }, { type: "string", minLength: 1 }] },
  { type: "array", items: { type: "integer" }, minItems: 1, maxItems: 3 },
  { type: "object", properties: { a: text, b: text }, required: ["a"] },
  { type: "object", properties: { a: text, b: text }, minProperties: 1 },
  { allOf: [{ type: "object", properties: { a: text }, required: ["a"] }, { type: "object" }] },
  {
    oneOf: [
      { type: "object", properties: { type: { const: "x", type: "string" } }, required: ["type"] },
      {
        type: "object",
        properties: {
          type: { const: "y", type: "string" },
          name: { $ref: "#/components/schemas/Text" },
        },
        required: ["type", "name"],
      },
    ],
    discriminator: { propertyName: "type" },
  },
];

describe("a schema", () => {
  test.each(SCHEMAS)("has values that fit, and that can be broken: %j", (schema) => {
    const { document, values, fault } = made(schema);
    const property = fc.property(values, fc.nat(), (value, start) => {
      expect(fault(value)).toBeUndefined();
      const broken = breakOf({ schema, value, document }, (one) => fault(one) === undefined, start);
      expect(broken).toBeDefined();
      expect(fault(broken?.value)).toBeString();
    });
    fc.assert(property, { seed: 1, numRuns: 50 });
  });
});

test("bytes in base64 are made of an annotation that validators pass over", () => {
  const { values } = made({ type: "string", contentEncoding: "base64" });
  for (const value of fc.sample(values, { seed: 1, numRuns: 20 })) {
    expect(Uint8Array.fromBase64(String(value)).toBase64()).toBe(String(value));
  }
});

test("every value is told with its place and its schema", () => {
  const places: string[] = [];
  const item = { type: "object", properties: { price: { type: "integer" } } };
  const schema = { type: "object", properties: { items: { type: "array", items: item } } };
  made(schema, (values, { place }) => {
    places.push(place);
    return values;
  });
  expect([...new Set(places)]).toEqual([
    ...["body.items.*.price", "body.items.*", "body.items", "body"],
  ]);
});

describe("a schema that says something else", () => {
  test.each<readonly [string, Schema]>([
    ["multipleOf", { type: "number", multipleOf: 0.01 }],
    ["uniqueItems", { type: "array", items: text, uniqueItems: true }],
    ["if", { type: "object", if: { required: ["a"] } }],
    ["nothing of its kind", { description: "anything" }],
    ["several kinds", { type: ["string", "null"] }],
    ["another format", { type: "string", format: "ipv4" }],
    ["no other properties", { type: "object", additionalProperties: false }],
    ["more beside a reference", { $ref: "#/components/schemas/Text", maxLength: 3 }],
  ])("is not passed over: %s", (_, schema) => {
    expect(() => made(schema)).toThrow();
  });
});
