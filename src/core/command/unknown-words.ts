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

/** What an unknown word of a line may mean; English, Romanian, Bulgarian and Italian ones. */
interface Meaning {
  /** Patterns of a part of a word, as `vat` in `vatRate`. */
  readonly stems: string;
  /** Where it stands: in any word, or only where all parts of the word have a meaning here. */
  readonly within: "any" | "own";
  /** It is refused on every line; else only on those that have the known word. */
  readonly isMoney: boolean;
  /** The known words for it: the first of these that the line has are named. */
  readonly known: readonly (readonly string[])[];
  /** What else helps, after the known word. */
  readonly advice?: string;
}

const PRICE = [["price"], ["value"], ["amount"]] as const;
const MEANINGS: readonly Meaning[] = [
  {
    stems: "discount|rebate|reduction|markdown|reducere|rabat|ots?t[au]pka|sconto",
    ...{ within: "any", isMoney: true, known: [["value"], ["price"]] },
    advice: "lower it, or add to subtotalModifiers",
  },
  {
    stems: "surcharge|markup|nadbavka|adaos|maggiorazione",
    ...{ within: "any", isMoney: true, known: [["value"], ["price"]] },
    advice: "raise it, or add to subtotalModifiers",
  },
  {
    stems: "tax|vat|tva|dds|iva|excise",
    ...{ within: "any", isMoney: true, known: [["vatGroup"]] },
  },
  {
    stems: "rate|percent|pct",
    ...{ within: "any", isMoney: true, known: [["value"], ["vatGroup", "price"]] },
  },
  {
    stems: "total",
    ...{ within: "any", isMoney: true, known: [["value"], ["amount"], ["quantity", "price"]] },
  },
  {
    stems: "disc|promo|promotion",
    ...{ within: "own", isMoney: true, known: [["value"], ["price"]] },
    advice: "lower it, or add to subtotalModifiers",
  },
  {
    stems: "fee|charge|extra",
    ...{ within: "own", isMoney: true, known: [["value"], ["price"]] },
    advice: "raise it, or add to subtotalModifiers",
  },
  {
    stems: "sum|suma|amount|value|valoare|stoinost|importo|net|netto?|gross|brutto?",
    ...{ within: "own", isMoney: true, known: [["value"], ["amount"], ["quantity", "price"]] },
  },
  {
    stems: "quantity|qty|quant|count|pieces|pcs|cantitate|cant|buc|bucati|kolichestvo|kol|quantita",
    ...{ within: "own", isMoney: true, known: [["quantity"]] },
  },
  {
    stems: "price|pret|cena|prezzo|tariff",
    ...{ within: "own", isMoney: true, known: PRICE },
  },
  {
    stems: "unit|uom|measure|measurement",
    ...{ within: "own", isMoney: false, known: [["unit"]] },
  },
  {
    stems: "dept|dep|reparto",
    ...{ within: "own", isMoney: false, known: [["department"]] },
  },
];

/** Words beside those that have a meaning: `itemTotal`, `pricePerUnit`. */
const BESIDE =
  "sub|grand|line|item|article|product|sales?|sell|selling|final|new|actual|base|single|per|each|piece|of|the|with|without|incl|excl|including|excluding|paid|pay|payment|unitar|unitara";
/** Ends of a part that has a meaning: `taxable`, `vatrate`. */
const ENDS = "e?s|e?d|age|able|ed|type|code|group|value|amount|percent|pct";

const ALL = MEANINGS.map(({ stems }) => stems).join("|");
const OWN_WORD = new RegExp(`^(?:${BESIDE}|(?:${ALL})(?:${ENDS})?)+$`);
const PATTERNS = MEANINGS.map((meaning) => ({
  meaning,
  part: new RegExp(`^(?:${BESIDE}|${ALL})*(?:${meaning.stems})(?:${ENDS})?$`),
}));

/**
 * Faults of the unknown words of one line: those near a known word or of its meaning, and those that
 * name a discount, surcharge, tax, rate, percentage, total, sum, quantity or price.
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
  const meaning = meaningOf(word);
  if (meaning === undefined) return undefined;
  const named = meaning.known.find((words) => words.every((one) => known.includes(one)));
  if (named === undefined) {
    if (!meaning.isMoney) return undefined;
    return `Unknown word; it would change what is paid and is not ignored. Known: ${known.join(", ")}`;
  }
  if (named.length > 1) return `Unknown word; the known ones are ${named.join(" and ")}`;
  const isAdvised = meaning.advice !== undefined && named.includes("price");
  return `Unknown word; the known one is ${named.join()}${isAdvised ? `: ${meaning.advice}` : ""}`;
}

/** What a word means, if anything here. */
function meaningOf(word: string): Meaning | undefined {
  const parts = partsOf(word);
  const having = (part: string) => PATTERNS.filter((pattern) => pattern.part.test(part));
  const anywhere = PATTERNS.find(
    ({ meaning, part }) => meaning.within === "any" && parts.some((one) => part.test(one)),
  );
  if (anywhere) return anywhere.meaning;
  if (!parts.every((part) => part === "" || OWN_WORD.test(part))) return undefined;
  const found = parts.flatMap(having).map(({ meaning }) => meaning);
  // A price per unit is a price, and the unit of a quantity is a unit.
  return found.find(({ known }) => known === PRICE) ?? found.at(-1);
}

/** `VAT_group` and `vatGroup` are one word. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** `lineTotal` and `line_total` are line and total. */
function partsOf(word: string): string[] {
  return word
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
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
