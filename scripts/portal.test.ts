import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { firstPageBytes, portalFiles } from "./portal.ts";

/** Beyond the start's: the page's own, and what it shares with others. */
const MOST_SCRIPTS = 8;
/** Compressed, with the words of a language. */
const MOST_BYTES = 250_000;

const files = await portalFiles();
const bytesOf = (path: string) => Bun.file(files.get(path)?.gzip ?? "").size;
const textOf = (path: string) =>
  Buffer.from(Bun.gunzipSync(readFileSync(files.get(path)?.gzip ?? ""))).toString();
const found = (path: string, pattern: RegExp) =>
  [...textOf(path).matchAll(pattern)].map(([, name = ""]) => name);

/** A script, and all that it makes the browser ask for before it runs. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const next of found(path, /(?:from|import)"([^"]+\.js)"/g)) loadedWith(next, seen);
  return seen;
}

const start = new Set(
  found("/index.html", /src="([^"]+\.js)"/g).flatMap((path) => [...loadedWith(path)]),
);
const scripts = [...files.keys()].filter((path) => path.endsWith(".js"));
const entries = new Set(scripts.flatMap((path) => found(path, /import\("([^"]+\.js)"\)/g)));
const opened = [...entries].map((path) =>
  [...loadedWith(path)].filter((script) => !start.has(script)),
);

test("a page asks for few scripts, whatever it shares with others", () => {
  expect(opened.length).toBeGreaterThan(30);
  expect(opened.filter((scripts) => scripts.length > MOST_SCRIPTS)).toEqual([]);
});

test("what people begin with is one script, small enough with page and words", async () => {
  const { script } = await firstPageBytes();
  const words = Math.max(...opened.flat().filter(isWords).map(bytesOf));
  const pages = opened.filter((scripts) => scripts.length === 1 && !scripts.some(isWords));
  expect([start.size, pages.length]).toEqual([1, 2]);
  for (const page of pages) {
    expect(script + words + page.reduce((sum, path) => sum + bytesOf(path), 0)).toBeLessThan(
      MOST_BYTES,
    );
  }
});

test("no page weighs more, with words", () => {
  const words = Math.max(...opened.flat().filter(isWords).map(bytesOf));
  const weights = opened.map((own) => {
    const page = own.reduce((sum, path) => sum + bytesOf(path), 0);
    return {
      page: own[0],
      bytes: [...start].reduce((sum, path) => sum + bytesOf(path), words) + page,
    };
  });
  expect(weights.filter(({ bytes }) => bytes >= MOST_BYTES)).toEqual([]);
});

function isWords(path: string): boolean {
  return /\/assets\/(bg|en|ro)-/.test(path);
}
