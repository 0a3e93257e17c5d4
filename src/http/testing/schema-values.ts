/**
 * Makes values that fit the schemas of the OpenAPI document, for tests. It knows the keywords that
 * the document uses and throws at any other, so that nothing a schema says is left out unnoticed.
 */

import fc, { type Arbitrary } from "fast-check";
import { follow } from "./openapi-faults.ts";

/** A schema as the document has it. */
export type Schema = Readonly<Record<string, unknown>>;

/** What a value is made of. */
export interface Made {
  /** Behind references. */
  readonly schema: Schema;
  /** Of the value: names with dots between, `*` for each item of a list. */
  readonly place: string;
}

/** Changes what is made of a schema. */
export type Narrow = (made: Arbitrary<unknown>, of: Made) => Arbitrary<unknown>;

/** How values are made. */
export interface ValueOptions {
  /** What references lead into. */
  readonly document: unknown;
  /** Called for every value, the innermost first. */
  readonly narrow: Narrow;
}

/** Keywords that say nothing of what fits. */
const ANNOTATIONS = ["description", "default", "discriminator", "example", "examples", "title"];
/** Keywords that are read below, by the kind of schema. */
const KEYWORDS = {
  reference: ["$ref"],
  const: ["const", "type"],
  enum: ["enum", "type"],
  anyOf: ["anyOf"],
  oneOf: ["oneOf"],
  allOf: ["allOf"],
  string: ["type", "minLength", "maxLength", "pattern", "format", "contentEncoding"],
  integer: ["type", "minimum", "maximum"],
  number: ["type", "minimum", "maximum", "exclusiveMinimum"],
  boolean: ["type"],
  null: ["type"],
  array: ["type", "items", "minItems", "maxItems"],
  object: ["type", "properties", "required", "minProperties", "additionalProperties"],
} as const satisfies Record<string, readonly string[]>;
type Kind = keyof typeof KEYWORDS;
const COMBINING = ["const", "enum", "anyOf", "oneOf", "allOf"] as const;

/** The longest text and list that is made on purpose; some limits are far beyond. */
const LONGEST_TEXT = 4_096;
const LONGEST_LIST = 20;
const YEAR_MS = 366 * 86_400_000;

/**
 * The schema itself behind its references, with its kind.
 * @throws Error for a keyword that is not known here
 */
export function read(schema: unknown, document: unknown): { schema: Schema; kind: Kind } {
  const own: Schema = { ...Object(schema) };
  if (typeof own.$ref === "string") {
    requireKnown(own, "reference");
    return read(follow(document, own.$ref), document);
  }
  const kind = COMBINING.find((keyword) => keyword in own) ?? own.type;
  if (typeof kind !== "string" || !isKind(kind)) {
    throw new Error(`no kind of schema: ${JSON.stringify(schema)}`);
  }
  requireKnown(own, kind);
  return { schema: own, kind };
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(KEYWORDS, kind);
}

function requireKnown(schema: Schema, kind: Kind): void {
  const known: readonly string[] = [...KEYWORDS[kind], ...ANNOTATIONS];
  const unknown = Object.keys(schema).filter((keyword) => !known.includes(keyword));
  if (unknown.length > 0) throw new Error(`unknown keywords of ${kind}: ${unknown.join()}`);
  if (schema.additionalProperties === false) throw new Error("properties are closed");
}

/**
 * Values that fit a schema.
 * @param place where the value stands, for `narrow`
 * @throws Error for a schema that says something unknown
 */
export function valuesOf(
  schema: unknown,
  options: ValueOptions,
  place: string,
): Arbitrary<unknown> {
  const of = { schema: read(schema, options.document).schema, place };
  return options.narrow(made(schema, options, place), of);
}

function made(given: unknown, options: ValueOptions, place: string): Arbitrary<unknown> {
  const { schema, kind } = read(given, options.document);
  const each = (inner: unknown) => made(inner, options, place);
  switch (kind) {
    case "const":
      return fc.constant(schema.const);
    case "enum":
      return fc.constantFrom(...list(schema.enum));
    case "anyOf":
    case "oneOf":
      return fc.oneof(...list(schema[kind]).map(each));
    case "allOf":
      return fc.tuple(...list(schema.allOf).map(each)).map(joined);
    case "string":
      return texts(schema);
    case "integer":
    case "number":
      return numbers(schema, kind);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return lists(schema, valuesOf(schema.items, options, `${place}.*`));
    case "object":
      return objects(schema, options, place);
    case "reference":
      throw new Error("a reference was not followed");
    default: {
      const unknown: never = kind;
      throw new Error(`unknown kind ${String(unknown)}`);
    }
  }
}

/** Objects of one value; a property named `__proto__` stays a property. */
function joined(parts: readonly unknown[]): unknown {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(Object(part))));
}

/** A character that any text may hold: see the rule of `core/text.ts`. */
const CHARACTER = fc.oneof(
  { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 1 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter(isPlain),
  },
);

function isPlain(text: string): boolean {
  return !text.includes("\0");
}

function texts({ minLength, maxLength, pattern, format, contentEncoding }: Schema) {
  if (contentEncoding !== undefined) return encoded(contentEncoding);
  if (format !== undefined) {
    const form = new RegExp(typeof pattern === "string" ? pattern : "");
    return formatted(format).filter((text) => form.test(text));
  }
  const least = numeric(minLength) ?? 0;
  const most = numeric(maxLength) ?? LONGEST_TEXT;
  if (typeof pattern === "string") {
    return fc
      .stringMatching(new RegExp(pattern))
      .filter((text) => isPlain(text) && [...text].length >= least && [...text].length <= most);
  }
  // The edges are one character again and again: to draw thousands of them takes too long.
  const edges = [least, ...(most <= LONGEST_TEXT ? [most] : [])];
  return fc.oneof(
    { weight: 2, arbitrary: fc.string({ unit: CHARACTER, minLength: least, maxLength: most }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(CHARACTER, fc.constantFrom(...edges))
        .map(([character, length]) => character.repeat(length)),
    },
  );
}

function encoded(encoding: unknown): Arbitrary<string> {
  if (encoding !== "base64") throw new Error(`unknown encoding ${encoding}`);
  return fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => bytes.toBase64());
}

function formatted(format: unknown): Arbitrary<string> {
  if (format === "date") return days().map((day) => day.toISOString().slice(0, 10));
  if (format !== "date-time") throw new Error(`unknown format ${format}`);
  const zones = fc.constantFrom("Z", "+00:00", "+02:00", "-03:30", "+14:00", "-12:00");
  const fractions = fc.constantFrom("", ".5", ".123", ".123456789");
  const some = fc
    .tuple(days(), fractions, zones)
    .map(([day, fraction, zone]) => `${day.toISOString().slice(0, 19)}${fraction}${zone}`);
  return fc.oneof({ weight: 4, arbitrary: some }, fc.constantFrom(...EDGES_OF_TIME));
}

/** The first two lie in years beyond the four digits of ISO 8601, as counted in UTC. */
const EDGES_OF_TIME = [
  "0000-01-01T00:00:00+14:00",
  "9999-12-31T23:59:59-12:00",
  "2024-02-29T23:59:59.999Z",
];

/** Mostly of these years, and of all that a date of ISO 8601 may have. */
function days(): Arbitrary<Date> {
  const now = Date.UTC(2026, 0, 15, 10);
  const of = (min: number, max: number) =>
    fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true });
  return fc.oneof(
    { weight: 4, arbitrary: of(now - YEAR_MS, now + YEAR_MS) },
    {
      weight: 1,
      arbitrary: of(Date.parse("0000-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59Z")),
    },
  );
}

function numbers(schema: Schema, kind: "integer" | "number"): Arbitrary<number> {
  const minimum = numeric(schema.minimum);
  const maximum = numeric(schema.maximum);
  const above = numeric(schema.exclusiveMinimum);
  const edges = [minimum, maximum].filter((edge) => edge !== undefined);
  const inside =
    kind === "integer"
      ? fc.integer({
          min: minimum ?? Number.MIN_SAFE_INTEGER,
          max: maximum ?? Number.MAX_SAFE_INTEGER,
        })
      : fc.double({
          noNaN: true,
          noDefaultInfinity: true,
          ...(maximum === undefined ? {} : { max: maximum }),
          ...(minimum === undefined ? {} : { min: minimum }),
          ...(above === undefined ? {} : { min: above, minExcluded: true }),
        });
  if (edges.length === 0) return inside;
  return fc.oneof(
    { weight: 2, arbitrary: inside },
    { weight: 1, arbitrary: fc.constantFrom(...edges) },
  );
}

function lists({ minItems, maxItems }: Schema, items: Arbitrary<unknown>): Arbitrary<unknown[]> {
  const minLength = numeric(minItems) ?? 0;
  const maxLength = Math.min(numeric(maxItems) ?? LONGEST_LIST, LONGEST_LIST);
  return fc.array(items, { minLength, maxLength });
}

/** Names that a schema does not know: some mean something to every object, some are nearly known. */
function foreignNames(known: readonly string[]): Arbitrary<string> {
  const nearly = known.map((name) => `${name}s`);
  return fc.oneof(
    fc.constantFrom("__proto__", "constructor", "toString", "length", "x-note", ...nearly),
    fc.string({ minLength: 1 }),
  );
}

type Entries = readonly (readonly [string, unknown])[];

function objects(schema: Schema, options: ValueOptions, place: string): Arbitrary<unknown> {
  const known = Object.entries(Object(schema.properties));
  const required = list(schema.required);
  const least = numeric(schema.minProperties) ?? 0;
  const none = fc.constant<Entries>([]);
  const properties = (optional: (property: Arbitrary<Entries>) => Arbitrary<Entries>) =>
    fc
      .tuple(
        ...known.map(([name, inner]) => {
          const value = valuesOf(inner, options, `${place}.${name}`);
          const property = value.map((one): Entries => [[name, one]]);
          return required.includes(name) ? property : optional(property);
        }),
      )
      .map((parts) => parts.flat());
  const names = known.map(([name]) => name);
  const foreign = fc
    .dictionary(foreignNames(names), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 })
    .map((given): Entries => Object.entries(given).filter(([name]) => !names.includes(name)));
  return fc
    .tuple(
      fc.oneof(
        { weight: 7, arbitrary: properties((property) => fc.oneof(property, none)) },
        { weight: 1, arbitrary: properties(() => none) },
      ),
      fc.oneof({ weight: 3, arbitrary: none }, foreign),
    )
    .map((parts) => parts.flat())
    .filter((entries) => entries.length >= least)
    .map((entries) => Object.fromEntries(entries));
}

function numeric(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
