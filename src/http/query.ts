/** Query strings: read by hand, so that each fault names its parameter. */

import { type TSchema, Type } from "@sinclair/typebox";
import { DATE_PATTERN, isCalendarDate, MONTH_PATTERN } from "#core/calendar.ts";
import { INSTANT_RULE, isInstant } from "#core/command/instant.ts";
import { type ValidationIssue, validationError } from "#core/errors.ts";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "#core/limits.ts";
import { patternWords } from "#core/patterns.ts";
import { DateTime } from "#core/schema-parts.ts";
import { hasLength, isPlainText, PLAIN_TEXT_RULE } from "#core/text.ts";
import { queryOf } from "./request-path.ts";
import { RequestReader } from "./request-reader.ts";

/** What reading a parameter gives: its value, or what is wrong with it. */
type Reading<T> = { readonly value: T } | { readonly fault: string };

/** One parameter. */
export interface QueryField<T> {
  /** @param given undefined when the parameter is absent */
  read(given: string | undefined): Reading<T>;
  /** For the OpenAPI document. */
  readonly schema: TSchema;
  /** It has to be there. */
  readonly isRequired?: true;
}

/** The parameters of a route by name. */
export type QueryShape = Readonly<Record<string, QueryField<unknown>>>;

/** What a shape reads. */
export type QueryValues<S extends QueryShape> = {
  readonly [K in keyof S]: S[K] extends QueryField<infer T> ? T : never;
};

/** Any text but an empty one, which may be a variable that the caller forgot to fill. */
export function text(): QueryField<string | undefined> {
  return {
    read: (given) => (given === "" ? { fault: "Expected a text" } : { value: given }),
    schema: Type.String({ minLength: 1 }),
  };
}

/**
 * A text of a WebSocket's handshake. Those who make the address of parts that may be missing leave
 * a parameter empty, so that an empty one counts as absent; it reads as an empty text.
 */
export function handshakeText(bounds: {
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly isRequired?: true;
  /** What is expected, in words, where the pattern has none. */
  readonly rule?: string;
}): QueryField<string> {
  const { maxLength, pattern, isRequired, rule } = bounds;
  const words = pattern === undefined ? undefined : patternWords(pattern);
  const fault = rule ?? `Expected ${words ?? `at most ${maxLength} characters`}`;
  const form = pattern === undefined ? undefined : new RegExp(pattern);
  return {
    read(given = "") {
      if (given === "") return isRequired ? { fault } : { value: given };
      const fits = hasLength(given, 1, maxLength ?? given.length) && form?.test(given) !== false;
      return fits ? { value: given } : { fault };
    },
    schema: Type.String({
      ...(maxLength === undefined ? {} : { maxLength }),
      ...(pattern === undefined ? {} : { pattern }),
    }),
    ...(isRequired && { isRequired }),
  };
}

/** A switch of a WebSocket's handshake: 1, or 0 as when it is empty or absent. */
export function handshakeFlag(): QueryField<boolean> {
  return {
    read(given = "") {
      if (given === "1") return { value: true };
      return given === "" || given === "0" ? { value: false } : { fault: "Expected 0 or 1" };
    },
    schema: Type.Unsafe({ type: "string", enum: ["0", "1"], default: "0" }),
  };
}

/** Where a page begins: the `lastId` of the page before, which is empty before the first one. */
function cursor(): QueryField<string | undefined> {
  return { read: (given) => ({ value: given || undefined }), schema: Type.String() };
}

/** One of a list. */
export function choice<const T extends string>(values: readonly T[]): QueryField<T | undefined>;
export function choice<const T extends string>(values: readonly T[], initial: T): QueryField<T>;
export function choice<const T extends string>(
  values: readonly T[],
  initial?: T,
): QueryField<T | undefined> {
  return {
    read(given) {
      if (given === undefined) return { value: initial };
      const value = values.find((known) => known === given);
      return value === undefined ? { fault: `Expected one of: ${values.join(", ")}` } : { value };
    },
    schema: Type.Unsafe({
      type: "string",
      enum: [...values],
      ...(initial === undefined ? {} : { default: initial }),
    }),
  };
}

/**
 * Some of a list, with commas between them; undefined when absent. None of them may be empty, and one that
 * is named again says nothing more.
 * @param example of several
 */
export function choices<const T extends string>(
  values: readonly T[],
  example: readonly T[],
): QueryField<readonly T[] | undefined> {
  return {
    read(given) {
      if (given === undefined) return { value: undefined };
      const named = new Set(given.split(","));
      const known = values.filter((value) => named.has(value));
      return known.length === named.size
        ? { value: known }
        : { fault: `Expected some of, with commas between them: ${values.join(", ")}` };
    },
    schema: Type.Array(Type.Unsafe<T>({ type: "string", enum: [...values] }), {
      ...{ minItems: 1, examples: [example.slice(0, 1), example] },
      description: "One, or several with commas between them",
    }),
  };
}

/** True or false; false when absent, true when it stands there by its name alone. */
export function flag(): QueryField<boolean> {
  return {
    read(given) {
      if (given === undefined || given === "false") return { value: false };
      return given === "true" || given === ""
        ? { value: true }
        : { fault: "Expected true or false" };
    },
    schema: Type.Boolean({ default: false }),
  };
}

/** A whole number within bounds, both included. */
export function integer(options: {
  readonly minimum: number;
  readonly maximum: number;
  readonly initial: number;
}): QueryField<number> {
  const { minimum, maximum, initial } = options;
  return {
    read(given) {
      if (given === undefined) return { value: initial };
      const value = /^-?\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      return value >= minimum && value <= maximum
        ? { value }
        : { fault: `Expected an integer from ${minimum} to ${maximum}` };
    },
    schema: Type.Integer({ minimum, maximum, default: initial }),
  };
}

/** An ISO 8601 instant, with its offset, as UTC milliseconds. */
export function instant(): QueryField<number | undefined> {
  return {
    read(given) {
      if (given === undefined) return { value: undefined };
      return isInstant(given) ? { value: Date.parse(given) } : { fault: instantFault(given) };
    },
    schema: DateTime,
  };
}

/** From an instant on, and until another one, which is not in it. */
export function period() {
  const [from, to] = [instant(), instant()];
  return {
    from: { ...from, schema: { ...from.schema, description: "Included; not after `to`" } },
    to: { ...to, schema: { ...to.schema, description: "Not included" } },
  } as const satisfies QueryShape;
}

/** A field that has to be there. */
export function required<T>(field: QueryField<T | undefined>): QueryField<T> {
  return {
    read(given) {
      if (given === undefined) return { fault: "Expected required parameter" };
      const reading = field.read(given);
      if ("fault" in reading) return reading;
      if (reading.value === undefined) throw new Error("what is there was read as absent");
      return { value: reading.value };
    },
    schema: field.schema,
    isRequired: true,
  };
}

/** A date of the calendar. */
export function date(): QueryField<string | undefined> {
  return {
    read: (given) =>
      given === undefined || isCalendarDate(given)
        ? { value: given }
        : { fault: "Expected a date as 2026-01-31" },
    schema: Type.String({ format: "date", pattern: DATE_PATTERN }),
  };
}

/** A month of the calendar. */
export function month(): QueryField<string | undefined> {
  const form = new RegExp(MONTH_PATTERN);
  return {
    read: (given) =>
      given === undefined || form.test(given)
        ? { value: given }
        : { fault: "Expected a month as 2026-01" },
    schema: Type.String({ pattern: MONTH_PATTERN }),
  };
}

/** In a query a plus sign is a space unless it is escaped. */
function instantFault(given: string): string {
  return / \d{2}:?\d{2}$/.test(given) ? `${INSTANT_RULE}; write + as %2B` : INSTANT_RULE;
}

/** The parameters of every list that pages; `sortKeys` begins with the default. */
export function pagination<const T extends string>(sortKeys: readonly [T, ...T[]]) {
  return {
    limit: integer({ minimum: 1, maximum: LIST_LIMIT_MAX, initial: LIST_LIMIT_DEFAULT }),
    startAfter: cursor(),
    sortBy: choice(sortKeys, sortKeys[0]),
    sortOrder: choice(["asc", "desc"], "desc"),
  } as const satisfies QueryShape;
}

/** For `query` of a route; parameters that are not in the shape are ignored. */
export function query<S extends QueryShape>(shape: S): RequestReader<QueryValues<S>> {
  const fields = Object.entries(shape).map(([name, { schema, isRequired }]) => [
    name,
    isRequired ? schema : Type.Optional(schema),
  ]);
  return new RequestReader(
    (request) => ({ value: readQuery(shape, queryOf(request.url)) }),
    Type.Object(Object.fromEntries(fields)),
  );
}

/** @throws ApiError VALIDATION_ERROR with every fault */
function readQuery<S extends QueryShape>(shape: S, search: string): QueryValues<S> {
  const given = new URLSearchParams(search);
  const issues: ValidationIssue[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    const [first, ...others] = given.getAll(name);
    const reading = isWritten(search, name, first)
      ? readField(field, first, others.length > 0)
      : { fault: PLAIN_TEXT_RULE };
    if ("fault" in reading) issues.push({ path: name, message: reading.fault });
    else values[name] = reading.value;
  }
  issues.push(...periodIssues(values));
  if (issues.length > 0) throw validationError(issues);
  if (!isComplete(shape, values)) throw new Error("a query field was not read");
  return values;
}

/**
 * False where bytes are no characters, as a lone surrogate's: they read as U+FFFD, which the caller has
 * not written.
 */
function isWritten(search: string, name: string, given: string | undefined): boolean {
  if (given?.includes("\ufffd") !== true) return true;
  const others = new URLSearchParams(search.replaceAll(/%EF%BF%BD|\ufffd/gi, "?"));
  return others.get(name)?.includes("\ufffd") !== true;
}

/** A period that ends before it begins holds nothing, which looks as if nothing had happened. */
function periodIssues({ from, to }: Readonly<Record<string, unknown>>): ValidationIssue[] {
  if (typeof from !== "number" || typeof to !== "number" || from <= to) return [];
  return [{ path: "from", message: "Expected an instant that is not after to" }];
}

function readField<T>(
  field: QueryField<T>,
  given: string | undefined,
  isRepeated: boolean,
): Reading<T> {
  if (isRepeated) return { fault: "Expected it once" };
  return given === undefined || isPlainText(given) ? field.read(given) : { fault: PLAIN_TEXT_RULE };
}

function isComplete<S extends QueryShape>(
  shape: S,
  values: Record<string, unknown>,
): values is QueryValues<S> {
  return Object.keys(shape).every((name) => Object.hasOwn(values, name));
}
