/** What every page of the handbook loads: its style, and its scripts, named by their content. */

import { basename, join } from "node:path";
import { packagedIn } from "../web-files.ts";
import { ROOT } from "./sources.ts";

/** Addresses of what a page names, from the handbook's folder. */
export interface AssetNames {
  readonly style: string;
  /** Runs before the page is shown: light or dark. */
  readonly scheme: string;
  readonly script: string;
  readonly mark: string;
}

export interface BrowserFiles {
  readonly names: AssetNames;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Files of packages that are in them. */
  readonly packaged: readonly string[];
}

const ENTRIES = {
  style: "src/handbook/look.css",
  scheme: "src/handbook/scheme.ts",
  script: "src/handbook/main.ts",
} as const;
const MARK = "src/portal/mark.svg";

/** @throws AggregateError with what the bundler found wrong */
export async function browserFiles(): Promise<BrowserFiles> {
  const files = new Map<string, Uint8Array>();
  const packaged: string[] = [];
  const add = async (entry: string): Promise<string> => {
    const { outputs, metafile } = await Bun.build({
      entrypoints: [join(ROOT, entry)],
      target: "browser",
      // The first one is no module, so that it runs at once.
      format: entry === ENTRIES.scheme ? "iife" : "esm",
      minify: true,
      naming: "[name]-[hash].[ext]",
      metafile: true,
      throw: true,
    });
    packaged.push(...packagedIn(metafile));
    const [output] = outputs;
    if (output === undefined) throw new Error(`${entry} came to nothing`);
    const name = `assets/${basename(output.path)}`;
    files.set(name, new Uint8Array(await output.arrayBuffer()));
    return name;
  };
  const style = await add(ENTRIES.style);
  const scheme = await add(ENTRIES.scheme);
  const script = await add(ENTRIES.script);
  const picture = await Bun.file(join(ROOT, MARK)).bytes();
  // A page asks again for nothing but itself.
  const mark = `assets/mark-${Bun.hash(picture).toString(36)}.svg`;
  files.set(mark, picture);
  return { names: { style, scheme, script, mark }, files, packaged };
}
