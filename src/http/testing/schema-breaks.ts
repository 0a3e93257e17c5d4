/** Breaks a value that fits a schema of the OpenAPI document in one place, for tests. */

import { read, type Schema } from "./schema-values.ts";

/** What becomes of the value at one place. */
export interface Break {
  /** Names and indexes with dots between; empty for the value itself. */
  readonly place: string;
  /** The whole value with that place broken. */
  readonly value: unknown;
}

/** One place of a value, with a schema that it is to fit there. */
interface Place {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly value: unknown;
}

/** Texts of this length in more than ASCII would be refused for what the whole body may have. */
const LONG_TEXT = 100_000;

/** Stands for a property that is left out. */
const LEFT_OUT = Symbol("left out");

/** Values that few schemas take. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e21,
  "",
  "\u2603",
  [],
  {},
  ["x"],
  { x: 1 },
];

/**
 * Tries to break a value at every place and in every way, beginning anywhere.
 * @param fits whether a whole value fits the schema: what does is no break
 * @param start which try is the first one; 0 or more
 * @returns the first break found, undefined where nothing can be broken
 */
export function breakOf(
  whole: { readonly schema: unknown; readonly value: unknown; readonly document: unknown },
  fits: (value: unknown) => boolean,
  start: number,
): Break | undefined {
  const shapes = [...placesOf({ ...whole, path: [] }, whole.document)];
  const places = [...Map.groupBy(shapes, ({ path }) => path.join(".")).entries()];
  for (let turn = 0; turn < places.length; turn++) {
    const [place = "", [first, ...others] = []] = places[(start + turn) % places.length] ?? [];
    if (first === undefined) continue;
    const own = [first, ...others].flatMap(({ schema, value }) => beyond(schema, value));
    // Half of the tries begin with what the schema itself names.
    const turns = Math.floor(start / places.length);
    const groups = turns % 2 === 0 ? [own, STRANGE] : [STRANGE, own];
    const tried = [
      ...groups.flatMap((group) => turned(group, Math.floor(turns / 2))),
      ...(place === "" ? [] : [LEFT_OUT]),
    ];
    for (const replacement of tried) {
      const value = replaced(whole.value, first.path, replacement);
      if (!fits(value)) return { place, value };
    }
  }
  return undefined;
}

/** Where a schema has several shapes, those of each: what does not break the value is not used. */
function* placesOf(
  { path, schema, value }: { path: readonly string[]; schema: unknown; value: unknown },
  document: unknown,
): Generator<Place> {
  const known = read(schema, document);
  const { kind } = known;
  if (kind === "anyOf" || kind === "oneOf" || kind === "allOf") {
    const shapes: readonly unknown[] = Object(known.schema[kind]);
    for (const shape of shapes) {
      if (isShapeOf(read(shape, document).schema, value)) {
        yield* placesOf({ path, schema: shape, value }, document);
      }
    }
    return;
  }
  yield { path, schema: known.schema, value };
  if (Array.isArray(value) && kind === "array") {
    const [first] = value;
    if (value.length === 0) return;
    yield* placesOf({ path: [...path, "0"], schema: known.schema.items, value: first }, document);
  } else if (kind === "object" && typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(Object(known.schema.properties))) {
      if (!Object.hasOwn(value, name)) continue;
      const own: unknown = Reflect.get(value, name);
      yield* placesOf({ path: [...path, name], schema: inner, value: own }, document);
    }
  }
}

/** False for one of several shapes that a constant property tells from that of the value. */
function isShapeOf({ properties }: Schema, value: unknown): boolean {
  return Object.entries(Object(properties)).every(([name, inner]) => {
    const wanted: unknown = Object(inner).const;
    return wanted === undefined || Object(value)[name] === wanted;
  });
}

/** The same list, begun elsewhere. */
function turned<T>(list: readonly T[], start: number): readonly T[] {
  const begin = list.length === 0 ? 0 : start % list.length;
  return [...list.slice(begin), ...list.slice(0, begin)];
}

/** What is just beyond the bounds of a schema, without the values that most schemas do not take. */
function beyond(schema: Schema, value: unknown): readonly unknown[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, pattern } = schema;
  const { minItems, maxItems, required, format } = schema;
  const made: unknown[] = [];
  if (typeof minimum === "number") made.push(minimum - 1, minimum - 0.5);
  if (typeof maximum === "number") made.push(maximum + 1, maximum + 0.5);
  if (typeof exclusiveMinimum === "number") made.push(exclusiveMinimum);
  if (typeof minLength === "number") made.push("y".repeat(minLength - 1));
  if (typeof maxLength === "number") {
    made.push("y".repeat(maxLength + 1));
    // A character is one, whatever it takes to write it.
    if (maxLength < LONG_TEXT) made.push("\u{1f9fe}".repeat(maxLength + 1));
  }
  if (pattern !== undefined) made.push(`${value}\u2603`, `${value} `, `${value}\n`);
  if (format !== undefined) made.push("tomorrow", "2026-02-30", "2026-02-30T12:00:00Z");
  if (format !== undefined) made.push("2026-01-31T12:00:00", "2026-01-31T25:00:00Z");
  if ("enum" in schema || "const" in schema) made.push(`${value}x`, `${value}`.toUpperCase());
  if (Array.isArray(value)) {
    const [first] = value;
    if (typeof maxItems === "number") made.push(Array.from({ length: maxItems + 1 }, () => first));
    if (typeof minItems === "number") made.push(value.slice(0, minItems - 1));
  }
  for (const name of Array.isArray(required) ? required : []) {
    made.push(without(value, String(name)));
  }
  return made;
}

function without(value: unknown, name: string): unknown {
  return Object.fromEntries(Object.entries(Object(value)).filter(([own]) => own !== name));
}

/** A copy of the value with another one at that place. */
function replaced(whole: unknown, path: readonly string[], replacement: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement;
  if (Array.isArray(whole)) {
    return whole.flatMap((item: unknown, index) =>
      String(index) === name ? placed(replaced(item, rest, replacement)) : [item],
    );
  }
  return Object.fromEntries(
    Object.entries(Object(whole)).flatMap(([own, inner]) =>
      own === name
        ? placed(replaced(inner, rest, replacement)).map((it) => [own, it])
        : [[own, inner]],
    ),
  );
}

/** Nothing where the value is left out. */
function placed(value: unknown): readonly unknown[] {
  return value === LEFT_OUT ? [] : [value];
}
