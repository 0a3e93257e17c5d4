/**
 * Builds the portal: bun scripts/portal.ts writes dist/portal/<digest>, a folder for each state of
 * the source, and says what a browser loads for the first page.
 */

import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { PageFile, PageFiles } from "../src/http/pages.ts";

const ROOT = join(import.meta.dir, "..");
const BUILDS = join(ROOT, "dist", "portal");
const SOURCES = ["src/portal", "src/client"] as const;
const RECIPE = ["bun.lock", "scripts/portal.ts"] as const;
const LIST = "files.json";
const KEPT_MS = 24 * 3_600_000;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

let files: Promise<PageFiles> | undefined;

/**
 * The portal's files, built unless they stand there for the source as it is. Several processes may
 * ask at once: a folder gets its name when all is in it.
 * @throws AggregateError with what the bundler found wrong
 */
export function portalFiles(): Promise<PageFiles> {
  files ??= builtFiles();
  return files;
}

async function builtFiles(): Promise<PageFiles> {
  const place = join(BUILDS, sourceDigest());
  if (!existsSync(join(place, LIST))) {
    const own = `${place}.${process.pid}`;
    await buildInto(own);
    putInPlace(own, place);
    discardOthers();
  }
  const list: readonly (readonly [string, PageFile])[] = await Bun.file(join(place, LIST)).json();
  const within = (path: string) => join(place, path);
  return new Map(
    list.map(([path, file]) => [
      path,
      { ...file, gzip: within(file.gzip), brotli: within(file.brotli) },
    ]),
  );
}

function putInPlace(own: string, place: string): void {
  try {
    renameSync(own, place);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    // Another process was faster with the same.
    if (!existsSync(join(place, LIST))) throw error;
  }
}

/** Builds of older sources, unless a gateway that was started a while ago may still show them. */
function discardOthers(): void {
  for (const name of readdirSync(BUILDS)) {
    const path = join(BUILDS, name);
    const builtAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - builtAt > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** A module with the same function over files that the bundler embeds. */
export async function embeddedModule(): Promise<string> {
  const imports: string[] = [];
  const entries = [...(await portalFiles())].map(([path, { gzip, brotli, ...rest }], at) => {
    imports.push(`import g${at} from ${JSON.stringify(gzip)} with { type: "file" };`);
    imports.push(`import b${at} from ${JSON.stringify(brotli)} with { type: "file" };`);
    return `[${JSON.stringify(path)}, { ...${JSON.stringify(rest)}, gzip: g${at}, brotli: b${at} }]`;
  });
  return `${imports.join("\n")}
const files = new Map([${entries.join(",\n")}]);
export const portalFiles = async () => files;
`;
}

async function buildInto(folder: string): Promise<void> {
  const scripts = await bundle({ plugins: [styleSheet("")] });
  const texts = scripts.filter(({ path }) => path.endsWith(".js")).map((script) => script.text());
  const sheet = usedStyles((await Promise.all(texts)).join("\n"));
  const files = await bundle({ plugins: [styleSheet(sheet)], outdir: folder });
  const list = files.map(({ path }) => compress(folder, relative(folder, path)));
  await Bun.write(join(folder, LIST), JSON.stringify(list));
}

async function bundle(more: Pick<Bun.BuildConfig, "plugins"> & { outdir?: string }) {
  const { outputs } = await Bun.build({
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
    throw: true,
    ...more,
  });
  return outputs;
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
  return [...new Bun.Glob("*.layer.css").scanSync(join(folder, "styles"))]
    .map((name) => readFileSync(join(folder, "styles", name), "utf8").trim())
    .filter((sheet) => {
      const classes = classesOf(sheet);
      // What names no component is for all of them.
      return classes.length === 0 || classes.some((name) => scripts.includes(name));
    })
    .map((sheet) => ({ sheet, place: placeIn(whole, classesOf(sheet)[0]) }))
    .sort((one, other) => one.place - other.place)
    .map(({ sheet }) => sheet)
    .join("\n");
}

/** What names no component comes first. */
function placeIn(whole: string, name: string | undefined): number {
  return name === undefined ? -1 : whole.indexOf(name);
}

/** Replaces a file by its two compressed forms. */
function compress(folder: string, name: string): readonly [string, PageFile] {
  const content = readFileSync(join(folder, name));
  rmSync(join(folder, name));
  const [gzip, brotli] = [`${name}.gz`, `${name}.br`];
  writeFileSync(join(folder, gzip), gzipSync(content, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(join(folder, brotli), brotliCompressSync(content, { params }));
  const digest = new Bun.CryptoHasher("sha256").update(content).digest("hex").slice(0, 16);
  const contentType = CONTENT_TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  const isHashed = name.startsWith("assets/");
  return [`/${name}`, { contentType, etag: `"${digest}"`, isHashed, gzip, brotli }];
}

function sourceDigest(): string {
  const sources = SOURCES.flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*`).scanSync({ cwd: ROOT }),
  ]);
  const hasher = new Bun.CryptoHasher("sha256").update(Bun.version);
  for (const path of [...sources.sort(), ...RECIPE]) {
    if (/\.test\.tsx?$|\.md$|\/journeys\//.test(path)) continue;
    hasher.update(`\0${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hasher.digest("hex").slice(0, 32);
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
