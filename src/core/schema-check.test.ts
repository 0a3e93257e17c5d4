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
