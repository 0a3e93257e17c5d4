/**
 * Words of a payload that no schema knows. Elsewhere they are ignored; on the lines of a fiscal
 * document a misspelled or unsupported one could change what the customer pays, so it is refused.
 */

import type { TObject } from "@sinclair/typebox";
import type { ValidationIssue } from "../errors.ts";

/** A mistyped word is at most this long; others are not compared. */
const WORD_MAX = 40;
/** Known words of more letters than this may have two letters wrong. */
const SHORT_WORD_MAX = 6;

/** What the words that decide about money are made of: `vatRate`, `line_total`, `percentage`. */
const MONEY_WORD =
  /^(?:sub|grand|line|item|unit|net|gross|sales)?(?:discount|surcharge|tax|vat|rate|total|percent|pct)+(?:e?s|e?d|age|able|ed|type|code|group|value|amount|percent|pct)?$/;

/**
 * Faults of the unknown words of one line: those near a known word, and those that name a discount,
 * surcharge, tax, rate, percentage or total.
 * @param path of the line, as `items.0`
 */
export function unknownWordIssues(path: string, line: object, schema: TObject): ValidationIssue[] {
  const unknown = Object.keys(line).filter((word) => !Object.hasOwn(schema.properties, word));
  if (unknown.length === 0) return [];
  const known = Object.keys(schema.properties);
  return unknown.flatMap((word) => {
    const message = faultOf(word, known);
    return message === undefined ? [] : [{ path: `${path}.${word}`, message }];
  });
}

function faultOf(word: string, known: readonly string[]): string | undefined {
  if (word.length > WORD_MAX) return undefined;
  const near = known.find((other) => isNear(plain(word), plain(other)));
  if (near !== undefined) return `Unknown word; the known one is ${near}`;
  if (!partsOf(word).some((part) => MONEY_WORD.test(part))) return undefined;
  return `Unknown word; it would change what is paid and is not ignored. Known: ${known.join(", ")}`;
}

/** `VAT_group` and `vatGroup` are one word. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** `lineTotal` and `line_total` are line and total. */
function partsOf(word: string): string[] {
  return word
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
}

function isNear(word: string, known: string): boolean {
  const wrongMax = known.length > SHORT_WORD_MAX ? 2 : 1;
  if (Math.abs(word.length - known.length) > wrongMax) return false;
  return editDistance(word, known) <= wrongMax;
}

/** Letters to add, leave out, replace, or swap with their neighbour. (Optimal string alignment.) */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(current, column - 1) + 1,
        at(last, column) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
