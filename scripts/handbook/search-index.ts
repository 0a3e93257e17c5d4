/** The index that the handbook is searched by: every section, and every row that has a name. */

import MiniSearch from "minisearch";
import { type Place, SEARCH } from "../../src/handbook/search-options.ts";
import type { Chapter } from "./contents.ts";
import { attributeOf, plainText, type Token } from "./markdown.ts";
import { CONTENTS, pageName } from "./sources.ts";

interface IndexedPage {
  readonly name: string;
  readonly title: string;
  readonly tokens: readonly Token[];
}

/** Of the last chapter, which is for those who read the code. */
const CONTRIBUTORS_WEIGHT = 0.3;
/** A page with more tokens is a list to look up in: only its headings are found. */
const TOKENS_MAX = 6_000;

const EXCERPT_CHARACTERS = 110;

/** The index as JSON, for `MiniSearch.loadJSON` with the same options. */
export function searchIndex(pages: readonly IndexedPage[], chapters: readonly Chapter[]): string {
  const index = new MiniSearch<Place>(SEARCH);
  const later = new Set(chapters.at(-1)?.entries.map(({ name }) => name));
  // The list of pages has the words of each, and says nothing of its own.
  for (const page of pages.filter(({ name }) => name !== pageName(CONTENTS))) {
    const weight = later.has(page.name) ? CONTRIBUTORS_WEIGHT : 1;
    index.addAll(placesOf(page).map((place) => ({ ...place, weight })));
  }
  return JSON.stringify(index);
}

interface Section {
  readonly anchor: string | undefined;
  readonly title: string;
  readonly words: string[];
}

/** The places of a page, in order. */
export function placesOf(page: IndexedPage): Omit<Place, "weight">[] {
  const { name, title } = page;
  const isList = page.tokens.length > TOKENS_MAX;
  return sectionsOf(page).map(({ anchor, title: heading, words }) => ({
    id: anchor === undefined ? name : `${name}#${anchor}`,
    title: heading,
    page: title,
    text: isList ? "" : words.join(" "),
    excerpt: isList ? "" : excerptOf(words.filter((word) => word !== heading).join(" ")),
  }));
}

function sectionsOf({ title, tokens }: IndexedPage): Section[] {
  const first: Section = { anchor: undefined, title, words: [] };
  const sections: Section[] = [first];
  let [section, row]: [Section, Section | undefined] = [first, undefined];
  for (const [at, token] of tokens.entries()) {
    const anchor = attributeOf(token, "id");
    if (token.type === "heading_open" && token.tag !== "h1") {
      section = { anchor, title: plainText(tokens[at + 1]), words: [] };
      sections.push(section);
    } else if (token.type === "tr_open" && anchor !== undefined) {
      row = { anchor, title: anchor, words: [] };
      sections.push(row);
    } else if (token.type === "tr_close") row = undefined;
    else if (token.type === "inline" && tokens[at - 1]?.type !== "heading_open") {
      (row ?? section).words.push(plainText(token));
    } else if (token.type === "fence") section.words.push(token.content);
  }
  return sections;
}

/** Its beginning, up to the end of a word. */
function excerptOf(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  if (flat.length <= EXCERPT_CHARACTERS) return flat;
  return `${flat.slice(0, EXCERPT_CHARACTERS).replace(/\s+\S*$/, "")} …`;
}
