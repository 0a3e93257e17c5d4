/** TypeBox errors as the documented list of faults. */

import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { INSTANT_FORMAT, INSTANT_RULE } from "./command/instant.ts";
import type { ValidationIssue } from "./errors.ts";
import { ISSUES_MAX } from "./limits.ts";
import { patternWords } from "./patterns.ts";
import { hasLength } from "./text.ts";

/** Paths hold names that somebody else has chosen, and go into logs and answers. */
const PATH_MAX = 200;

/**
 * The first fault of each path (TypeBox reports a missing property twice), with dotted paths.
 * @param root put before each path, as in `payload`
 */
export function schemaIssues(errors: Iterable<ValueError>, root = ""): ValidationIssue[] {
  const issues = new Map<string, string>();
  for (const { pointer, message } of faultsOf(errors)) {
    const path = [root, ...pointer.split("/").slice(1).map(unescapePointer)]
      .filter((part) => part !== "")
      .join(".")
      .slice(0, PATH_MAX);
    if (!issues.has(path)) issues.set(path, message);
    if (issues.size === ISSUES_MAX) break;
  }
  return [...issues].map(([path, message]) => ({ path, message }));
}

/** What is wrong, and where, as TypeBox names places. */
interface Fault {
  readonly pointer: string;
  readonly message: string;
}

function* faultsOf(errors: Iterable<ValueError>): Generator<Fault> {
  for (const error of errors) {
    if (error.type === ValueErrorType.Union) yield* unionFaults(error);
    else yield { pointer: error.path, message: messageOf(error) };
  }
}

/** TypeBox says of a value that fits no part of a union only that it does not. */
function unionFaults({ path: pointer, schema, errors }: ValueError): readonly Fault[] {
  const parts: readonly TSchema[] = schema.anyOf ?? [];
  const values = parts.map((part): unknown => part.const);
  if (values.every((value) => value !== undefined)) {
    return [{ pointer, message: `Expected one of: ${values.join(", ")}` }];
  }
  const faults = errors.map((ofPart) => [...faultsOf(ofPart)]);
  // Of parts that fit in kind, the one of which the least is wrong is the one that was meant.
  const within = faults.filter(([first]) => first?.pointer !== pointer);
  const [nearest] = within.sort((one, other) => one.length - other.length);
  if (nearest) return nearest;
  const messages = faults.flatMap(([first]) => first?.message.replace(/^Expected /, "") ?? []);
  return [{ pointer, message: `Expected ${[...new Set(messages)].join(", or ")}` }];
}

/** TypeBox speaks of lengths of arrays, and of a value of a kind of ours says only that it is none. */
function messageOf({ type, message, schema, value }: ValueError): string {
  if (type === ValueErrorType.Kind) return textMessage(schema, value);
  if (type === ValueErrorType.StringPattern) return patternMessage(schema);
  if (type === ValueErrorType.ArrayMinItems) return `Expected at least ${entries(schema.minItems)}`;
  if (type === ValueErrorType.ArrayMaxItems) return `Expected at most ${entries(schema.maxItems)}`;
  return message;
}

function entries(count: unknown): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}

/** The only kind of ours is the bounded text. */
function textMessage(schema: TSchema, value: unknown): string {
  const { minLength = 0, maxLength, format } = schema;
  if (typeof value !== "string") return "Expected string";
  if (!hasLength(value, minLength, maxLength ?? value.length)) {
    return `Expected ${lengthWords(minLength, maxLength)}`;
  }
  return format === INSTANT_FORMAT ? INSTANT_RULE : patternMessage(schema);
}

function lengthWords(least: number, most: number | undefined): string {
  if (most === undefined) return `at least ${characters(least)}`;
  if (least === most) return characters(least);
  return least === 0 ? `at most ${characters(most)}` : `${least} to ${characters(most)}`;
}

function characters(count: number): string {
  return count === 1 ? "1 character" : `${count} characters`;
}

function patternMessage({ pattern = "" }: TSchema): string {
  const words = patternWords(pattern);
  return words === undefined ? `Expected string to match '${pattern}'` : `Expected ${words}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
