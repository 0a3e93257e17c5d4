/** Builds the one executable: bun scripts/build.ts [--arch x64|arm64] [--outfile FILE] */

import { chmodSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { keptHandbook } from "./handbook.ts";
import { firstPageBytes, keptPortal } from "./portal.ts";
import { embeddedModule } from "./web-files.ts";

const ROOT = join(import.meta.dir, "..");

const TARGETS = {
  x64: "bun-linux-x64",
  arm64: "bun-linux-arm64",
} as const;

export type Architecture = keyof typeof TARGETS;

/** The architecture of this machine. @throws Error when there is no executable for it */
export function currentArchitecture(): Architecture {
  return requireArchitecture(process.arch);
}

/** @throws Error when there is no executable for it */
export function requireArchitecture(name: string): Architecture {
  if (name === "x64" || name === "arm64") return name;
  throw new Error(`there is no executable for ${name}, only for ${Object.keys(TARGETS)}`);
}

/** How pages get into the executable. */
interface CarriedPages {
  readonly plugins: Bun.BunPlugin[];
  /** Files of packages that are in the pages, which the bundler sees compressed only. */
  readonly packaged: readonly string[];
}

/**
 * Has the executable carry the files of portal and handbook, compressed, in place of building them.
 * They are made before: one build inside another would wait for itself.
 */
async function carryPages(): Promise<CarriedPages> {
  const [portalSite, handbookSite] = [await keptPortal(), await keptHandbook()];
  const portal = embeddedModule("portalFiles", portalSite.files);
  const handbook = embeddedModule("handbookFiles", handbookSite.files);
  const plugin: Bun.BunPlugin = {
    name: "pages",
    setup(bundler) {
      bundler.onLoad({ filter: /\/src\/app\/(portal|handbook)-files\.ts$/ }, ({ path }) => ({
        contents: path.endsWith("/portal-files.ts") ? portal : handbook,
        loader: "js",
      }));
    },
  };
  return { plugins: [plugin], packaged: [...portalSite.packaged, ...handbookSite.packaged] };
}

export interface BuildOptions {
  readonly architecture?: Architecture;
  readonly outfile?: string;
  /** The file that is run, from the root of the repository; `src/main.ts` when absent. */
  readonly entry?: string;
  /** The runtime that goes into it: a Bun executable of the architecture; Bun's choice when absent. */
  readonly runtime?: string;
}

/** An executable, and what went into it. */
export interface Built {
  readonly outfile: string;
  /** Every file that is inside, from the root of the repository, native parts and texts included. */
  readonly inputs: readonly string[];
}

/**
 * Compiles the entry and all it needs, native parts included, into one executable. The same source,
 * packages and runtime give the same bytes, wherever they lie.
 *
 * Native parts are chosen by `process.arch`, which the bundler folds for the target, so only one
 * set is embedded. For another architecture than this machine's they must be installed first:
 * `bun install --frozen-lockfile --cpu='*'`.
 * @throws AggregateError with what the bundler found wrong
 */
export async function build(options: BuildOptions = {}): Promise<Built> {
  const outfile = options.outfile ?? join(ROOT, "dist", "fiscald");
  mkdirSync(dirname(outfile), { recursive: true });
  // Another entry has no pages.
  const pages = options.entry === undefined ? await carryPages() : { plugins: [], packaged: [] };
  const { metafile } = await Bun.build({
    entrypoints: [join(ROOT, options.entry ?? "src/main.ts")],
    root: ROOT,
    compile: {
      target: TARGETS[options.architecture ?? currentArchitecture()],
      outfile,
      ...(options.runtime === undefined ? {} : { executablePath: options.runtime }),
      // A settings file of whatever project the executable is started in must not change it.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
      // What runs at the start runs once: compiling it costs more than it saves. Commands that go
      // on take this back once they have started.
      jitPolicy: 10,
    },
    minify: true,
    // The bundler would put in the place where it was built. Packages look with these for files
    // beside themselves, of which there are none in the executable.
    define: { __dirname: '"/"', __filename: '"/"' },
    // What is imported only when it is needed stays apart, and is not even read until then.
    splitting: true,
    // Parsed ahead of time: the start takes half as long. It needs the module format, because
    // the entry awaits at its top level.
    bytecode: true,
    format: "esm",
    plugins: pages.plugins,
    metafile: true,
    throw: true,
  });
  chmodSync(outfile, 0o755);
  const inputs = new Set([...Object.keys(metafile?.inputs ?? {}), ...pages.packaged]);
  return { outfile, inputs: [...inputs].sort() };
}

/** Of compressed bytes. */
const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;

if (import.meta.main) {
  const { values } = parseArgs({
    options: { arch: { type: "string" }, outfile: { type: "string" } },
  });
  const { outfile } = await build({
    ...(values.arch === undefined ? {} : { architecture: requireArchitecture(values.arch) }),
    ...(values.outfile === undefined ? {} : { outfile: values.outfile }),
  });
  console.log(`built ${outfile} (${(Bun.file(outfile).size / 2 ** 20).toFixed(1)} MiB)`);
  const { script, style } = await firstPageBytes();
  console.log(`its first page loads ${kib(script)} of script and ${kib(style)} of style`);
}
