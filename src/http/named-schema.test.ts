import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { hoistNamed, named } from "./named-schema.ts";

const Part = named("Part", Type.Object({ id: Type.String() }));
const Thing = named("Thing", Type.Object({ parts: Type.Array(Part) }));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a schema that has a name", () => {
  test("stands once, however often it is used, and in others that have one", () => {
    const { document, schemas } = hoistNamed({ one: Thing, other: Type.Object({ part: Part }) });
    expect(plain(document)).toEqual({
      one: { $ref: "#/components/schemas/Thing" },
      other: {
        type: "object",
        required: ["part"],
        properties: { part: { $ref: "#/components/schemas/Part" } },
      },
    });
    expect(plain(schemas)).toEqual({
      Thing: {
        type: "object",
        required: ["parts"],
        properties: { parts: { type: "array", items: { $ref: "#/components/schemas/Part" } } },
      },
      Part: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
    });
  });

  test("shares its name with no other", () => {
    const other = named("Part", Type.Object({ id: Type.Integer() }));
    expect(() => hoistNamed({ one: Part, other })).toThrow("two schemas are called Part");
  });
});
