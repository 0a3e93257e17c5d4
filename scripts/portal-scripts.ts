/**
 * Which modules of the portal travel in one script. The bundler makes a script for each set of pages
 * that need the same modules: eighty of them, most smaller than what it takes to ask for them. A
 * printer's page asked for sixty, which takes a slow tablet longer than all that is in them.
 *
 * What pages share goes into two: with the portal's start what Today and the login need, and a second
 * script with what other pages need. What two pages alone share stays apart where it is large.
 */

import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The file that starts it all. */
const START = "src/portal/main.tsx";

/** What people begin with: they wait for one script. */
const FIRST_PAGES = ["src/portal/pages/today/page.tsx", "src/portal/pages/login/page.tsx"];

/** Bytes, uncompressed, from which on something has to be used by more than two pages to travel along. */
const LARGE_BYTES = 8_000;
const MANY_PAGES = 3;

/** Modules by the file that imports them besides its own: all paths from the root of the repository. */
export type TravelTogether = ReadonlyMap<string, readonly string[]>;

/**
 * Reads from a build without any grouping what is to travel together.
 * @param metafile of that build
 */
export function travelTogether({ outputs }: Bun.BuildMetafile): TravelTogether {
  const atStart: string[] = [];
  const later: string[] = [];
  const laterPages = new Set<string>();
  for (const [path, pages] of pagesByScript(outputs)) {
    const { bytes = 0, inputs = {} } = outputs[path] ?? {};
    const modules = Object.keys(inputs).filter((input) => /\.(m?js|tsx?)$/.test(input));
    if (FIRST_PAGES.some((page) => pages.has(page))) atStart.push(...modules);
    else if (bytes < LARGE_BYTES || pages.size >= MANY_PAGES) {
      later.push(...modules);
      for (const page of pages) laterPages.add(page);
    }
  }
  return new Map([[START, atStart], ...[...laterPages].map((page) => [page, later] as const)]);
}

/**
 * Has the bundler find the same set of pages behind all that is to travel together: each of these pages
 * imports all of it, behind its own imports, so that styles keep their order.
 * @param root of the repository
 */
export function groupedScripts(root: string, together: TravelTogether): Bun.BunPlugin {
  return {
    name: "scripts",
    setup(bundler) {
      bundler.onLoad({ filter: /\/src\/portal\/.*\.tsx$/ }, ({ path }) => {
        const modules = together.get(relative(root, path));
        if (modules === undefined) return undefined;
        const imports = modules.map((module) => `import ${JSON.stringify(join(root, module))};`);
        return { contents: `${readFileSync(path, "utf8")}\n${imports.join("\n")}`, loader: "tsx" };
      });
    },
  };
}

type Outputs = Bun.BuildMetafile["outputs"];

/** The scripts that pages share and the start lacks, with the files of the pages that load each. */
function pagesByScript(outputs: Outputs): Map<string, Set<string>> {
  const started = Object.entries(outputs).filter(([, { inputs }]) => START in inputs);
  const atStart = new Set(started.flatMap(([path]) => [...loadedWith(outputs, path)]));
  const found = new Map<string, Set<string>>();
  for (const [entry, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === undefined || atStart.has(entry)) continue;
    for (const path of loadedWith(outputs, entry)) {
      if (atStart.has(path) || outputs[path]?.entryPoint !== undefined) continue;
      found.set(path, (found.get(path) ?? new Set()).add(entryPoint));
    }
  }
  return found;
}

/** An output, and all outputs that it imports, directly or not. */
function loadedWith(outputs: Outputs, path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === "import-statement") loadedWith(outputs, next, found);
  }
  return found;
}
