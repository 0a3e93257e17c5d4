/** The handbook: every page, its files, and what finds them. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join, normalize, posix } from "node:path";
import type { SiteContent } from "../web-files.ts";
import { browserFiles } from "./browser-files.ts";
import { readContents } from "./contents.ts";
import { type Markdown, parseMarkdown, renderMarkdown } from "./markdown.ts";
import { renderMissing, renderPage } from "./page.ts";
import { searchIndex } from "./search-index.ts";
import { pageName, pageSources, ROOT } from "./sources.ts";

/** A page of the handbook, read. */
export interface Page extends Markdown {
  /** Path from the root of the repository. */
  readonly source: string;
  /** Name of its file. */
  readonly name: string;
  readonly title: string;
}

export interface SiteOptions {
  /** Whether a gateway serves it: its pages then lead to the portal and the API beside them. */
  readonly isServed: boolean;
}

/** The files by their paths within the handbook. */
export type SiteFiles = SiteContent["files"];

/** All files of the handbook. @throws Error for a page without a title */
export async function buildSite({ isServed }: SiteOptions): Promise<SiteContent> {
  const pages = readPages();
  const chapters = readContents(pages);
  const files = new Map<string, Uint8Array>();
  const browser = await browserFiles();
  for (const [path, content] of browser.files) files.set(path, content);
  const assets = browser.names;
  for (const page of pages.values()) {
    const html = renderMarkdown(page.tokens, (target) => addressOf(page.source, target, files));
    put(files, page.name, renderPage({ page, html, chapters, assets, isServed }));
  }
  put(files, "search.json", searchIndex([...pages.values()], chapters));
  if (isServed) put(files, "404.html", renderMissing({ chapters, assets, isServed }));
  return { files, packaged: browser.packaged };
}

/** All pages by their paths in the repository. @throws Error for one without a title */
export function readPages(): Map<string, Page> {
  return new Map(pageSources().map((source) => [source, readPage(source)]));
}

function readPage(source: string): Page {
  const markdown = parseMarkdown(readFileSync(join(ROOT, source), "utf8"));
  const [first] = markdown.headings;
  if (first?.level !== 1) throw new Error(`${source} does not begin with a title`);
  return { ...markdown, source, name: pageName(source), title: first.title };
}

/**
 * Where a link leads within the handbook. A file of docs/ that is no page comes along.
 * @returns undefined for what lies elsewhere in the repository
 */
function addressOf(source: string, target: string, files: Map<string, Uint8Array>) {
  if (/^[a-z]+:/.test(target) || target.startsWith("#")) return target;
  const [path = "", anchor] = target.split("#");
  const place = posix.join(posix.dirname(source), decodeURI(path));
  if (place.endsWith(".md")) return [pageName(place), anchor].filter(Boolean).join("#");
  const file = join(ROOT, normalize(place));
  if (!place.startsWith("docs/") || !existsSync(file) || !statSync(file).isFile()) return undefined;
  const name = place.slice("docs/".length);
  files.set(name, readFileSync(file));
  return name;
}

function put(files: Map<string, Uint8Array>, name: string, text: string): void {
  files.set(name, new TextEncoder().encode(text));
}
