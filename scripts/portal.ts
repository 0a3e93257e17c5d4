/**
 * Builds the portal: bun scripts/portal.ts writes dist/portal/<digest>, a folder for each state of
 * the source, and says what a browser loads for the first page.
 */

import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { PageFiles } from "../src/http/page-file.ts";
import { groupedScripts, travelTogether } from "./portal-scripts.ts";
import { type KeptSite, packagedIn, type SiteContent, webFiles } from "./web-files.ts";

const ROOT = join(import.meta.dir, "..");
const SOURCES = ["src/portal", "src/client"] as const;
const RECIPE = [
  "bun.lock",
  "scripts/portal.ts",
  "scripts/portal-scripts.ts",
  "scripts/web-files.ts",
] as const;

let kept: Promise<KeptSite> | undefined;

/**
 * The portal's files, built unless they stand there for the source as it is.
 * @throws AggregateError with what the bundler found wrong
 */
export async function portalFiles(): Promise<PageFiles> {
  return (await keptPortal()).files;
}

/** The same, with the files of packages that are in it. */
export function keptPortal(): Promise<KeptSite> {
  kept ??= webFiles({ name: "portal", sources, build: buildPortal });
  return kept;
}

function sources(): string[] {
  const found = SOURCES.flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*`).scanSync({ cwd: ROOT }),
  ]);
  return [...found, ...RECIPE].filter((path) => !/\.test\.tsx?$|\.md$|\/journeys\//.test(path));
}

async function buildPortal(): Promise<SiteContent> {
  // Once for what it is made of, and once as it is shown.
  const { outputs: scripts, metafile: parts } = await bundle(styleSheet(""));
  if (parts === undefined) throw new Error("the bundler does not tell of its parts");
  const texts = scripts.filter(({ path }) => path.endsWith(".js")).map((script) => script.text());
  const sheet = usedStyles((await Promise.all(texts)).join("\n"));
  const { outputs, metafile } = await bundle(
    styleSheet(sheet),
    groupedScripts(ROOT, travelTogether(parts)),
  );
  // One sheet has the styles of all pages; those of single pages, made besides, nobody asks for.
  const page = await outputs.find(({ path }) => path.endsWith(".html"))?.text();
  const shown = outputs
    // Without a folder to write to, the names begin with a dot.
    .map((output) => ({ output, path: relative(".", output.path) }))
    .filter(({ path }) => !path.endsWith(".css") || page?.includes(path) === true);
  const entries = shown.map(async ({ output, path }) => {
    return [path, new Uint8Array(await output.arrayBuffer())] as const;
  });
  return { files: new Map(await Promise.all(entries)), packaged: packagedIn(metafile) };
}

function bundle(...plugins: Bun.BunPlugin[]): Promise<Bun.BuildOutput> {
  return Bun.build({
    entrypoints: [join(ROOT, "src/portal/index.html")],
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    publicPath: "/",
    define: { "process.env.NODE_ENV": '"production"' },
    naming: {
      entry: "[name].[ext]",
      chunk: "assets/[name]-[hash].[ext]",
      asset: "assets/[name]-[hash].[ext]",
    },
    metafile: true,
    throw: true,
    plugins,
  });
}

/** Puts a text in the place of the component library's whole style sheet. */
function styleSheet(contents: string): Bun.BunPlugin {
  return {
    name: "styles",
    setup(bundler) {
      bundler.onLoad({ filter: /@mantine\/core\/styles\.layer\.css$/ }, () => ({
        contents,
        loader: "css",
      }));
    },
  };
}

/**
 * The library's style sheets of those components whose classes the scripts name, in the order in which
 * it has them itself: all of them are three times as much.
 */
function usedStyles(scripts: string): string {
  const folder = join(ROOT, "node_modules/@mantine/core");
  const whole = readFileSync(join(folder, "styles.layer.css"), "utf8");
  const classesOf = (sheet: string) => sheet.match(/m_[0-9a-f]+/g) ?? [];
  return (
    [...new Bun.Glob("*.layer.css").scanSync(join(folder, "styles"))]
      // Those without a place of their own stand in the same order on each disk.
      .sort()
      .map((name) => readFileSync(join(folder, "styles", name), "utf8").trim())
      .filter((sheet) => {
        const classes = classesOf(sheet);
        // What names no component is for all of them.
        return classes.length === 0 || classes.some((name) => scripts.includes(name));
      })
      .map((sheet) => ({ sheet, place: placeIn(whole, classesOf(sheet)[0]) }))
      .sort((one, other) => one.place - other.place)
      .map(({ sheet }) => sheet)
      .join("\n")
  );
}

/** What names no component comes first. */
function placeIn(whole: string, name: string | undefined): number {
  return name === undefined ? -1 : whole.indexOf(name);
}

/** What the page itself names: the browser loads it before it shows anything. */
export async function firstPageBytes(): Promise<{ script: number; style: number }> {
  const files = await portalFiles();
  const page = files.get("/index.html");
  if (page === undefined) throw new Error("the portal has no page");
  const html = Buffer.from(Bun.gunzipSync(readFileSync(page.gzip))).toString();
  const sizeOf = (pattern: RegExp) =>
    [...html.matchAll(pattern)]
      .map(([, path = ""]) => Bun.file(files.get(path)?.gzip ?? "").size)
      .reduce((sum, size) => sum + size, 0);
  return {
    script: sizeOf(/(?:src|href)="([^"]+\.js)"/g),
    style: sizeOf(/href="([^"]+\.css)"/g),
  };
}

if (import.meta.main) {
  const { script, style } = await firstPageBytes();
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
  console.log(`portal: first page ${kib(script)} of script, ${kib(style)} of style (gzip)`);
}
