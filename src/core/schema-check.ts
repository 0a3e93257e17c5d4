/**
 * Checking values by a schema. TypeBox counts the units of UTF-16 where the contract, as JSON Schema
 * does, counts characters, and knows no format; so a schema is checked with strings of a kind of our
 * own in place of TypeBox's, and shown in the API document as it is.
 */

import { Kind, type Static, type TSchema, TypeRegistry } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import { INSTANT_FORMAT, isInstant } from "./command/instant.ts";
import type { ValidationIssue } from "./errors.ts";
import { schemaIssues } from "./schema-issues.ts";
import { hasLength } from "./text.ts";

/** A string whose length is bounded, or that is an instant. */
const BOUNDED_TEXT = "BoundedText";

interface TextBounds {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/**
 * Checks that are made by walking the schema before it is compiled: compiling takes as long as some
 * dozens of them, and many a schema is never asked so often.
 */
const WALKS_MAX = 32;

const patterns = new Map<string, RegExp>();

TypeRegistry.Set<TextBounds>(BOUNDED_TEXT, (bounds, value) => {
  const { minLength = 0, maxLength, pattern, format } = bounds;
  if (typeof value !== "string") return false;
  if (!hasLength(value, minLength, maxLength ?? value.length)) return false;
  if (format === INSTANT_FORMAT) return isInstant(value);
  return pattern === undefined || compiledPattern(pattern).test(value);
});

function compiledPattern(source: string): RegExp {
  const known = patterns.get(source);
  if (known) return known;
  // As TypeBox compiles them; there are as many as schemas name.
  const compiled = new RegExp(source);
  patterns.set(source, compiled);
  return compiled;
}

/** Checks values by one schema. */
export interface SchemaCheck<S extends TSchema> {
  accepts(value: unknown): value is Static<S>;
  /** Faults of a value that is not accepted; `root` is put before each path. */
  issues(value: unknown, root?: string): ValidationIssue[];
}

const checks = new WeakMap<TSchema, SchemaCheck<TSchema>>();

/** The check of a schema, which is compiled once, when it has been needed often. */
export function schemaCheckOf<S extends TSchema>(schema: S): SchemaCheck<S> {
  const check = checks.get(schema) ?? createSchemaCheck(schema);
  checks.set(schema, check);
  return check as SchemaCheck<S>;
}

function createSchemaCheck(schema: TSchema): SchemaCheck<TSchema> {
  let ours: TSchema | undefined;
  let compiled: TypeCheck<TSchema> | undefined;
  let walks = 0;
  // What it takes is the same, but for lengths.
  const counting = (): TSchema => {
    ours ??= countingCharacters(schema) as TSchema;
    return ours;
  };
  const check = (value: unknown): boolean => {
    if (walks < WALKS_MAX) {
      walks += 1;
      return Value.Check(counting(), value);
    }
    compiled ??= TypeCompiler.Compile(counting());
    return compiled.Check(value);
  };
  return {
    accepts: (value): value is Static<TSchema> => check(value),
    issues: (value, root) => schemaIssues(Value.Errors(counting(), value), root),
  };
}

/** A schema, or a part of one, with each bounded string and each instant as ours. */
function countingCharacters(part: unknown): unknown {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map(countingCharacters);
  // Spread keeps TypeBox's symbols, by which it tells kinds and optional properties.
  const copy: Record<PropertyKey, unknown> = { ...part };
  for (const [name, inner] of Object.entries(part)) copy[name] = countingCharacters(inner);
  const isBounded = copy.minLength !== undefined || copy.maxLength !== undefined;
  const isOurs = isBounded || copy.format === INSTANT_FORMAT;
  if (copy[Kind] === "String" && isOurs) copy[Kind] = BOUNDED_TEXT;
  return copy;
}
