/**
 * Builds the handbook from docs/: bun run docs writes dist/docs, static files for any web server, below
 * any path.
 */

import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PageFiles } from "../src/http/page-file.ts";
import { buildSite } from "./handbook/site.ts";
import { pageSources, ROOT } from "./handbook/sources.ts";
import { webFiles } from "./web-files.ts";

const STATIC = join(ROOT, "dist", "docs");
const RECIPE = ["bun.lock", "scripts/handbook.ts", "scripts/web-files.ts", "src/portal/mark.svg"];

let files: Promise<PageFiles> | undefined;

/**
 * The handbook's files as a gateway serves them, built unless they stand there for the source as it is.
 * @throws Error with what is wrong with a page
 */
export function handbookFiles(): Promise<PageFiles> {
  files ??= webFiles({
    name: "handbook",
    sources,
    build: () => buildSite({ isServed: true }),
  });
  return files;
}

function sources(): string[] {
  const folders = ["docs", "scripts/handbook", "src/handbook"].flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*`).scanSync({ cwd: ROOT }),
  ]);
  const found = [...folders, ...pageSources(), ...RECIPE];
  return [...new Set(found)].filter((path) => !path.endsWith(".test.ts"));
}

if (import.meta.main) {
  const site = await buildSite({ isServed: false });
  rmSync(STATIC, { recursive: true, force: true });
  for (const [path, content] of site) {
    const place = join(STATIC, path);
    mkdirSync(dirname(place), { recursive: true });
    await Bun.write(place, content);
  }
  const bytes = [...site.values()].reduce((sum, content) => sum + content.length, 0);
  console.log(`${site.size} files, ${(bytes / 1024).toFixed(0)} KiB: ${STATIC}/index.html`);
}
