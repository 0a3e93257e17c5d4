/** TypeBox errors as the documented list of faults. */

import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { INSTANT_FORMAT, INSTANT_RULE } from "./command/instant.ts";
import type { ValidationIssue } from "./errors.ts";
import { patternWords } from "./patterns.ts";
import { hasLength } from "./text.ts";

const ISSUES_MAX = 50;
/** Paths hold names that somebody else has chosen, and go into logs and answers. */
const PATH_MAX = 200;

/**
 * The first fault of each path (TypeBox reports a missing property twice), with dotted paths.
 * @param root put before each path, as in `payload`
 */
export function schemaIssues(errors: Iterable<ValueError>, root = ""): ValidationIssue[] {
  const issues = new Map<string, string>();
  for (const error of errors) {
    const path = [root, ...error.path.split("/").slice(1).map(unescapePointer)]
      .filter((part) => part !== "")
      .join(".")
      .slice(0, PATH_MAX);
    if (!issues.has(path)) issues.set(path, messageOf(error));
    if (issues.size === ISSUES_MAX) break;
  }
  return [...issues].map(([path, message]) => ({ path, message }));
}

/** TypeBox says of a value that is none of a list, or of a kind of ours, only that it is not. */
function messageOf({ type, message, schema, value }: ValueError): string {
  if (type === ValueErrorType.Kind) return textMessage(schema, value);
  if (type === ValueErrorType.StringPattern) return patternMessage(schema);
  const options: readonly TSchema[] = schema.anyOf ?? [];
  const values = options.map((option): unknown => option.const);
  const isList = values.length > 0 && values.every((value) => value !== undefined);
  return isList ? `Expected one of: ${values.join(", ")}` : message;
}

/** The only kind of ours is the bounded text. */
function textMessage(schema: TSchema, value: unknown): string {
  const { minLength = 0, maxLength, format } = schema;
  if (typeof value !== "string") return "Expected string";
  if (!hasLength(value, minLength, maxLength ?? value.length)) {
    return maxLength === undefined
      ? `Expected at least ${minLength} characters`
      : `Expected ${minLength} to ${maxLength} characters`;
  }
  return format === INSTANT_FORMAT ? INSTANT_RULE : patternMessage(schema);
}

function patternMessage({ pattern = "" }: TSchema): string {
  const words = patternWords(pattern);
  return words === undefined ? `Expected string to match '${pattern}'` : `Expected ${words}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
