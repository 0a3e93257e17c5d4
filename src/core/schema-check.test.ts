/** A check says the same while it walks its schema and once that is compiled. */

import { expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { INSTANT_FORMAT } from "./command/instant.ts";
import { schemaCheckOf } from "./schema-check.ts";

/** More often than it walks. */
const TIMES = 100;

const FIELDS = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 2 }), count: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
);

const VALUES: readonly (readonly [TSchema, readonly unknown[], readonly unknown[]])[] = [
  // Two characters, of two units each.
  [
    FIELDS,
    [{ name: "a" }, { name: "😀😀", count: 1 }],
    [{ name: "" }, { name: "abc" }, {}, [], null],
  ],
  [FIELDS, [{ name: "ab", count: 0 }], [{ name: "a", count: 0.5 }, { name: "a", other: 1 }, "a"]],
  [
    Type.String({ format: INSTANT_FORMAT }),
    ["2026-11-29T10:00:00.000Z"],
    ["2026-11-29", "2026-13-29T10:00:00.000Z", 1],
  ],
  [Type.String({ maxLength: 9, pattern: "^[a-z]+$" }), ["abc"], ["", "ABC", "abcdefghij", null]],
  [
    Type.Union([Type.Null(), Type.Array(Type.Literal("on"), { maxItems: 2 })]),
    [null, [], ["on", "on"]],
    [["off"], ["on", "on", "on"], {}, undefined],
  ],
];

test("a text that is too short or too long is told how long it may be", () => {
  const told = (bounds: { minLength?: number; maxLength?: number }, value: string) =>
    schemaCheckOf(Type.String(bounds)).issues(value)[0]?.message;
  expect(told({ minLength: 1 }, "")).toBe("Expected at least 1 character");
  expect(told({ minLength: 2 }, "")).toBe("Expected at least 2 characters");
  expect(told({ minLength: 1, maxLength: 9 }, "")).toBe("Expected 1 to 9 characters");
  expect(told({ maxLength: 9 }, "0123456789")).toBe("Expected at most 9 characters");
  expect(told({ minLength: 6, maxLength: 6 }, "")).toBe("Expected 6 characters");
});

test.each(VALUES)("a check says the same however often it is asked: %j", (schema, good, bad) => {
  for (const [values, isGood] of [
    [good, true],
    [bad, false],
  ] as const) {
    for (const value of values) {
      // A check of its own: what is compiled is kept by the schema.
      const check = schemaCheckOf({ ...schema });
      for (let time = 0; time < TIMES; time += 1) expect(check.accepts(value)).toBe(isGood);
      expect(check.issues(value).length > 0).toBe(!isGood);
    }
  }
});
