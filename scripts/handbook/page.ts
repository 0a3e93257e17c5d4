/** A page of the handbook as HTML: what stands around the text. */

import type { AssetNames } from "./browser-files.ts";
import type { Chapter, Entry } from "./contents.ts";
import type { Heading } from "./markdown.ts";

/** What is the same for all pages. */
interface Surroundings {
  readonly chapters: readonly Chapter[];
  readonly assets: AssetNames;
  /** Whether a gateway serves it. */
  readonly isServed: boolean;
}

interface Shown extends Surroundings {
  readonly page: {
    readonly name: string;
    readonly title: string;
    readonly headings: readonly Heading[];
  };
  /** The text of the page. */
  readonly html: string;
}

const FIRST: Entry = { name: "index.html", label: "Documentation", isInner: false };

/** A whole page. */
export function renderPage(shown: Shown): string {
  const { page, html, chapters } = shown;
  const title = page.name === FIRST.name ? "fiscald documentation" : `${page.title} · fiscald`;
  return document(shown, {
    ...{ title, base: "", current: page.name, contents: ownContents(page.headings) },
    main: `<article>\n${html}</article>\n${neighbours(page.name, chapters)}`,
  });
}

/** What a gateway answers for an address without a page: it may be any, so its links are whole. */
export function renderMissing(surroundings: Surroundings): string {
  return document(surroundings, {
    ...{ title: "No such page · fiscald", base: "/docs/", current: "", contents: "" },
    main: `<article><h1>No such page</h1>
<p>The documentation of this version has no page at this address. Search for it above, or start from
<a href="/docs/">its contents</a>.</p></article>`,
  });
}

interface Content {
  readonly title: string;
  /** What addresses within the handbook begin with. */
  readonly base: string;
  /** Name of the page's file. */
  readonly current: string;
  readonly contents: string;
  readonly main: string;
}

function document({ chapters, assets, isServed }: Surroundings, content: Content): string {
  const { title, base, current, contents, main } = content;
  return `<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" type="image/svg+xml" href="${base}${assets.mark}">
<link rel="stylesheet" href="${base}${assets.style}">
<script src="${base}${assets.scheme}"></script>
<script type="module" src="${base}${assets.script}"></script>
</head>
<body>
<a class="skip" href="#text">To the text</a>
<header class="top">
<a class="home" href="${base}${FIRST.name}"><img src="${base}${assets.mark}" alt="" width="26" height="26"> fiscald <span class="kind">documentation</span></a>
<search class="search" hidden>
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<div id="found" class="found" role="listbox" aria-label="Found" hidden></div>
</search>
${isServed ? '<nav class="beside" aria-label="This gateway"><a href="/">Portal</a> <a href="/api/v1/docs">API</a></nav>' : ""}
<button class="scheme" type="button" hidden></button>
</header>
<div class="body">
<details class="pages" id="pages" open><summary>All pages</summary>
${navigation(chapters, { base, current })}
</details>
<main id="text">
${main}
</main>
${contents}
</div>
</body>
</html>
`;
}

function navigation(
  chapters: readonly Chapter[],
  { base, current }: { readonly base: string; readonly current: string },
): string {
  const link = ({ name, label, isInner }: Entry): string => {
    const here = name === current ? ' aria-current="page"' : "";
    return `<li${isInner ? ' class="inner"' : ""}><a href="${base}${name}"${here}>${escaped(label)}</a></li>`;
  };
  const parts = chapters.map(
    ({ title, entries }) =>
      `<h2>${escaped(title)}</h2>\n<ul>\n${entries.map(link).join("\n")}\n</ul>`,
  );
  return `<nav aria-label="Pages">\n<ul>${link(FIRST)}</ul>\n${parts.join("\n")}\n</nav>`;
}

/** Sections of the page, and those below them, where there is more than one. */
function ownContents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return "";
  const links = shown.map(
    ({ level, anchor, title }) =>
      `<li class="level-${level}"><a href="#${escaped(anchor)}">${escaped(title)}</a></li>`,
  );
  return `<nav class="own" aria-label="On this page"><h2>On this page</h2>\n<ul>\n${links.join("\n")}\n</ul></nav>`;
}

/** The page before and the one after, in the order of the navigation. */
function neighbours(current: string, chapters: readonly Chapter[]): string {
  const all = [FIRST, ...chapters.flatMap(({ entries }) => entries)];
  const at = all.findIndex(({ name }) => name === current);
  const link = (entry: Entry | undefined, rel: "prev" | "next", word: string): string =>
    entry === undefined
      ? ""
      : `<a rel="${rel}" href="${entry.name}"><span class="word">${word}</span> ${escaped(entry.label)}</a>`;
  const [before, after] = [all[at - 1], all[at + 1]];
  return `<nav class="turn" aria-label="Before and after">${link(before, "prev", "Previous")}${link(after, "next", "Next")}</nav>`;
}

function escaped(text: string): string {
  return Bun.escapeHTML(text);
}
