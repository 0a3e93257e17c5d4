/** How the handbook is searched: the same for the index as it is built and as it is asked. */

import type { Options } from "minisearch";

/** A place in the handbook that a search leads to: a section, or a row of a table. */
export interface Place {
  /** Its address from the handbook's first page, as `settings.html#http.listen`. */
  readonly id: string;
  /** The section's heading, or the row's first cell. */
  readonly title: string;
  /** Title of its page. */
  readonly page: string;
  readonly text: string;
  /** The beginning of the text, shown below the title. */
  readonly excerpt: string;
  /** From 0 to 1: what most readers do not look for comes later. */
  readonly weight: number;
}

const WORD = /[\p{L}\p{N}]+(?:[._/-]+[\p{L}\p{N}]+)*/gu;
const PART = /[._/-]+/;

/** Words, and the parts of compound ones: `http.listen` is found by `listen` too. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).flatMap((word) => {
    const parts = word.split(PART);
    return parts.length === 1 ? [word] : [word, ...parts];
  });
}

/** Words of nearly every section, which tell none from another and are a tenth of the index. */
const COMMON = new Set(
  (
    "a an and are as at be been but by for from had has have if in into is it its of on or so than " +
    "that the their them then there these they this to was were what when where which while who will with"
  ).split(" "),
);

/** Numbers and codes are found as they are; of longer words a beginning or one slip is enough. */
export const SEARCH: Options<Place> = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "excerpt", "weight"],
  tokenize: wordsOf,
  processTerm: (word) => (COMMON.has(word) ? null : word),
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: (word) => (word.length > 4 && !/\d/.test(word) ? 1 : false),
    combineWith: "AND",
    boostDocument: (_, _term, stored) => Number(stored?.weight ?? 1),
  },
};
