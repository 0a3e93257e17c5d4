/** Which Markdown files are pages of the handbook, and which address each has there. */

import { join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");
/** The page that lists all others: the handbook's first. */
export const CONTENTS = "docs/README.md";

/** Folders whose README is a page beside those of docs/. */
const PLACES = ["docs/**/*.md", "{src,drivers}/**/README.md", "*.md"] as const;
/** The product's first page, in the repository; the handbook has its own. */
const FRONT = "README.md";

/** Paths of all pages from the root of the repository, sorted. */
export function pageSources(): string[] {
  return PLACES.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT })])
    .filter((path) => path !== FRONT)
    .sort();
}

/**
 * The name of a page's file. All lie in one folder, so that links are the same from each.
 * `docs/tls.md` is `tls.html`, `src/client/README.md` is `src-client.html`.
 */
export function pageName(source: string): string {
  if (source === CONTENTS || source === FRONT) return "index.html";
  const inDocs = source.startsWith("docs/");
  const path = (inDocs ? source.slice("docs/".length) : source).replace(/(\/README)?\.md$/, "");
  // A page of docs/ may have the same name as a file of the root.
  const isOfRoot = !inDocs && !path.includes("/") && source === `${path}.md`;
  return `${isOfRoot ? "repository-" : ""}${path.replaceAll("/", "-").toLowerCase()}.html`;
}
