/** The documents of a release: what a person reads, leading to nothing that is not there. */

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pageSources } from "../handbook/sources.ts";

const ROOT = join(import.meta.dir, "../..");

/** Of this version; `/docs` has the same. */
export const DOCUMENTS: readonly string[] = [
  ...["README.md", "LICENSE", "src/client/LICENSE", "docs"],
  ...pageSources().filter((path) => !path.startsWith("docs/")),
];

/** A link, whose words may hold brackets; no picture, and none to another site. */
const LINK = /(?<!!)\[((?:[^[\]]|\[[^[\]]*\])*)\]\((?![a-z]+:|#)([^()\s#]+)(?:#[^()\s]*)?\)/g;
const FENCE = /^ {0,3}(?:```|~~~)/;

/** Puts them into a folder. Links to sources and tests, which no release has, become their words. */
export function placeDocuments(folder: string): void {
  for (const name of DOCUMENTS) {
    const place = join(folder, name);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(ROOT, name), place, { recursive: true });
  }
  for (const name of new Bun.Glob("**/*.md").scanSync({ cwd: folder })) {
    const path = join(folder, name);
    const isThere = (target: string) => existsSync(join(dirname(path), target));
    writeFileSync(path, withoutDeadLinks(readFileSync(path, "utf8"), isThere));
  }
}

/**
 * Puts the first page beside the folder of the documents too, where whoever unpacks a release looks.
 * @param name of that folder, whose documents the page leads to
 */
export function placeFirstPage(folder: string, name: string): void {
  const text = readFileSync(join(folder, name, "README.md"), "utf8");
  const below = `$1${name}/$2`;
  const moved = text
    .replaceAll(/(\]\()(?![a-z]+:|#)([^()\s]+\))/g, below)
    .replaceAll(/(<img src=")(?![a-z]+:)([^"]+")/g, below);
  writeFileSync(join(folder, "README.md"), moved);
}

/** @param isThere whether there is what a link leads to, from the document's folder */
function withoutDeadLinks(text: string, isThere: (target: string) => boolean): string {
  let isCode = false;
  return text
    .split("\n")
    .map((line) => {
      if (FENCE.test(line)) isCode = !isCode;
      if (isCode) return line;
      return line.replace(LINK, (whole, words: string, target: string) =>
        isThere(target) ? whole : words,
      );
    })
    .join("\n");
}
