import { afterEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { embeddedModule, webFiles } from "./web-files.ts";

const NAME = `web-files-${process.pid}`;
const BUILDS = join(import.meta.dir, "../dist", NAME);
afterEach(() => rmSync(BUILDS, { recursive: true, force: true }));

/** What the executable is to carry of a site whose files became ready in this order. */
async function carried(...paths: readonly string[]): Promise<string> {
  rmSync(BUILDS, { recursive: true, force: true });
  const files = new Map(paths.map((path) => [path, Buffer.from(`of ${path}`)]));
  const kept = await webFiles({
    name: NAME,
    sources: () => ["package.json"],
    build: () => Promise.resolve({ files, packaged: [] }),
  });
  return embeddedModule("files", kept.files);
}

test("a site is carried alike, in whatever order its files became ready", async () => {
  const once = await carried("assets/b.js", "index.html", "assets/a.css");
  expect(await carried("index.html", "assets/a.css", "assets/b.js")).toBe(once);
});
