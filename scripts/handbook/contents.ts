/**
 * The handbook's navigation: docs/README.md, its sections and the lists in them, so that whoever reads
 * the files has the same order.
 */

import { posix } from "node:path";
import { attributeOf, plainText, type Token } from "./markdown.ts";
import { CONTENTS, pageName } from "./sources.ts";

/** A page as the navigation names it. */
export interface Entry {
  /** Name of its file. */
  readonly name: string;
  readonly label: string;
  /** True below another page, as a maker below the printers. */
  readonly isInner: boolean;
}

/** What one kind of reader reads. */
export interface Chapter {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Title of what docs/README.md should list, and does not. */
export const UNLISTED = "Further pages";

/** What is needed of a page. */
interface ListedPage {
  readonly tokens: readonly Token[];
  readonly title: string;
}

/** The chapters; pages that none of them lists stand in one more at the end. */
export function readContents(pages: ReadonlyMap<string, ListedPage>): Chapter[] {
  const chapters = chaptersOf(pages.get(CONTENTS)?.tokens ?? []);
  const listed = new Set(chapters.flatMap(({ entries }) => entries.map(({ name }) => name)));
  const others = [...pages]
    .filter(([source]) => source !== CONTENTS && !listed.has(pageName(source)))
    .map(([source, { title }]) => ({ name: pageName(source), label: title, isInner: false }));
  return others.length === 0 ? chapters : [...chapters, { title: UNLISTED, entries: others }];
}

function chaptersOf(tokens: readonly Token[]): Chapter[] {
  const chapters: { title: string; entries: Entry[] }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open" && token.tag === "h2") {
      chapters.push({ title: plainText(tokens[at + 1]), entries: [] });
    }
    // A list's line begins with the link to the page.
    if (token.type === "list_item_open") {
      const [open, label] = tokens[at + 2]?.children ?? [];
      const target = open?.type === "link_open" ? (attributeOf(open, "href") ?? "") : "";
      if (!target.endsWith(".md")) continue;
      const name = pageName(posix.join(posix.dirname(CONTENTS), target));
      chapters
        .at(-1)
        ?.entries.push({ name, label: label?.content ?? "", isInner: token.level > 1 });
    }
  }
  return chapters.filter(({ entries }) => entries.length > 0);
}
