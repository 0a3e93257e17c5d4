/**
 * Files for a browser, built once for each state of their source and compressed, in a folder of
 * dist/: those of the portal and of the handbook.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { PageFile, PageFiles } from "../src/http/page-file.ts";

const ROOT = join(import.meta.dir, "..");
const LIST = "files.json";
const KEPT_MS = 24 * 3_600_000;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
};
/** Anything else that people read; a browser shows it and runs nothing. */
const PLAIN_TEXT = "text/plain; charset=utf-8";

/** How the files of one site come about. */
export interface WebSite {
  /** Folder of dist/ that the builds are kept in. */
  readonly name: string;
  /** Every file that goes into it, from the root of the repository. */
  sources(): readonly string[];
  build(): Promise<SiteContent>;
}

/** A site as it was made, and of what. */
export interface SiteContent {
  /** By their paths within the site, as `assets/main-1a2b.js`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Files of packages that are in them, from the root of the repository: for their licences. */
  readonly packaged: readonly string[];
}

/** A site as it is kept, compressed. */
export interface KeptSite {
  readonly files: PageFiles;
  readonly packaged: readonly string[];
}

/** The list of a build, as it is written beside its files. */
interface SiteList {
  readonly files: readonly (readonly [string, PageFile])[];
  readonly packaged: readonly string[];
}

/**
 * The site's files, built unless they stand there for the source as it is. Several processes may ask
 * at once: a folder gets its name when all is in it.
 * @throws AggregateError with what the bundler found wrong
 */
export async function webFiles(site: WebSite): Promise<KeptSite> {
  const builds = join(ROOT, "dist", site.name);
  const place = join(builds, sourceDigest(site.sources()));
  if (!existsSync(join(place, LIST))) {
    const own = `${place}.${process.pid}`;
    await buildInto(own, site);
    putInPlace(own, place);
    discardOthers(builds);
  }
  const list: SiteList = await Bun.file(join(place, LIST)).json();
  const within = (path: string) => join(place, path);
  const files = list.files.map(([path, file]): [string, PageFile] => [
    path,
    { ...file, gzip: within(file.gzip), brotli: within(file.brotli) },
  ]);
  return { files: new Map(files), packaged: list.packaged };
}

/** Files of packages among what the bundler read. */
export function packagedIn(metafile: Bun.BuildMetafile | undefined): string[] {
  return Object.keys(metafile?.inputs ?? {}).filter((path) => path.includes("node_modules/"));
}

/**
 * A module that carries the files, for the bundler to embed.
 * @param name of the function that it exports, which returns them
 */
export function embeddedModule(name: string, files: PageFiles): string {
  const imports: string[] = [];
  const entries = [...files].map(([path, { gzip, brotli, ...rest }], at) => {
    imports.push(`import g${at} from ${JSON.stringify(gzip)} with { type: "file" };`);
    imports.push(`import b${at} from ${JSON.stringify(brotli)} with { type: "file" };`);
    return `[${JSON.stringify(path)}, { ...${JSON.stringify(rest)}, gzip: g${at}, brotli: b${at} }]`;
  });
  return `${imports.join("\n")}
const files = new Map([${entries.join(",\n")}]);
export const ${name} = async () => files;
`;
}

async function buildInto(folder: string, site: WebSite): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { files, packaged } = await site.build();
  const list: SiteList = {
    // The bundler tells of them as they become ready: in another order each time.
    files: [...files].toSorted(byPath).map(([path, content], at) => {
      const file = compress(join(folder, `${at}`), path, content);
      return [`/${path}`, { ...file, gzip: `${at}.gz`, brotli: `${at}.br` }];
    }),
    packaged,
  };
  writeFileSync(join(folder, LIST), JSON.stringify(list));
}

function byPath([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
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
function discardOthers(builds: string): void {
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    const builtAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - builtAt > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Writes the two compressed forms of a file beside each other. */
function compress(
  place: string,
  path: string,
  content: Uint8Array,
): Omit<PageFile, "gzip" | "brotli"> {
  writeFileSync(`${place}.gz`, gzipSync(content, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${place}.br`, brotliCompressSync(content, { params }));
  const digest = new Bun.CryptoHasher("sha256").update(content).digest("hex").slice(0, 16);
  const contentType = CONTENT_TYPES[path.split(".").at(-1) ?? ""] ?? PLAIN_TEXT;
  return { contentType, etag: `"${digest}"`, isHashed: path.startsWith("assets/") };
}

function sourceDigest(sources: readonly string[]): string {
  const hasher = new Bun.CryptoHasher("sha256").update(Bun.version);
  for (const path of [...sources].sort()) {
    hasher.update(`\0${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hasher.digest("hex").slice(0, 32);
}
