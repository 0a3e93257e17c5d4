/** What is looked at in JSON before anything walks it, and what its texts may not hold. */

import type { ValidationIssue } from "./errors.ts";
import { ISSUES_MAX } from "./limits.ts";
import { isPlainText, PLAIN_TEXT_RULE } from "./text.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The escapes by which JSON in UTF-8 can hold NUL or half of a surrogate pair. */
const SUSPECT_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/**
 * True when objects and lists lie in each other deeper than so many levels; `{}` is one. Reads the
 * text once, whether or not it is JSON.
 */
export function isDeeperThan(text: string, levelsMax: number): boolean {
  let levels = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (isInText) {
      if (unit === BACKSLASH) index += 1;
      else if (unit === QUOTE) isInText = false;
    } else if (unit === QUOTE) isInText = true;
    else if (OPENING.has(unit)) levels += 1;
    else if (CLOSING.has(unit)) levels -= 1;
    if (levels > levelsMax) return true;
  }
  return false;
}

/**
 * What a JSON text says, with U+FFFD in place of each half of a surrogate pair, which no JSON that is sent on
 * may hold: readers of some languages refuse all of it.
 * @param text in well-formed UTF-8 @throws SyntaxError
 */
export function parsedWellFormed(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return SUSPECT_ESCAPE.test(text) ? wellFormed(value) : value;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, one]) => [name.toWellFormed(), wellFormed(one)]));
}

/**
 * Faults of the texts and names in a value.
 * @param source what the value was parsed from, in well-formed UTF-8
 */
export function textIssues(source: string, value: unknown): ValidationIssue[] {
  if (!SUSPECT_ESCAPE.test(source)) return [];
  const issues: ValidationIssue[] = [];
  collectIssues(value, [], issues);
  return issues;
}

function collectIssues(value: unknown, path: readonly string[], issues: ValidationIssue[]): void {
  if (issues.length >= ISSUES_MAX) return;
  const refuse = () => issues.push({ path: path.join("."), message: PLAIN_TEXT_RULE });
  if (typeof value === "string" && !isPlainText(value)) refuse();
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (isPlainText(name)) collectIssues(inner, [...path, name], issues);
    else refuse();
  }
}
