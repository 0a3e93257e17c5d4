/**
 * Builds the handbook from docs/: bun run docs writes dist/docs, static files for any web server, below
 * any path.
 */

import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PageFiles } from "../src/http/page-file.ts";
import { buildSite } from "./handbook/site.ts";
import { pageSources, ROOT } from "./handbook/sources.ts";
import { type KeptSite, webFiles } from "./web-files.ts";

const STATIC = join(ROOT, "dist", "docs");
const RECIPE = ["bun.lock", "scripts/handbook.ts", "scripts/web-files.ts", "src/portal/mark.svg"];

let kept: Promise<KeptSite> | undefined;

/**
 * The handbook's files as a gateway serves them, built unless they stand there for the source as it is.
 * @throws Error with what is wrong with a page
 */
export async function handbookFiles(): Promise<PageFiles> {
  return (await keptHandbook()).files;
}

/** The same, with the files of packages that are in it. */
export function keptHandbook(): Promise<KeptSite> {
  kept ??= webFiles({ name: "handbook", sources, build: () => buildSite({ isServed: true }) });
  return kept;
}

function sources(): string[] {
  const folders = ["docs", "scripts/handbook", "src/handbook"].flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*`).scanSync({ cwd: ROOT }),
  ]);
  const found = [...folders, ...pageSources(), ...RECIPE];
  return [...new Set(found)].filter((path) => !path.endsWith(".test.ts"));
}

if (import.meta.main) {
  const { files: site } = await buildSite({ isServed: false });
  rmSync(STATIC, { recursive: true, force: true });
  for (const [path, content] of site) {
    const place = join(STATIC, path);
    mkdirSync(dirname(place), { recursive: true });
    await Bun.write(place, content);
  }
  const bytes = [...site.values()].reduce((sum, content) => sum + content.length, 0);
  console.log(`${site.size} files, ${(bytes / 1024).toFixed(0)} KiB: ${STATIC}/index.html`);
}
