/** The packages whose files are inside what is released: one list for licences and inventory. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** A package as it is installed. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its manifest has it, an SPDX expression as a rule; empty when it says nothing. */
  readonly license: string;
  /** Its licence and notice files, by their names. */
  readonly texts: readonly string[];
  /** Names of what its manifest says it needs. */
  readonly needs: readonly string[];
}

/**
 * The packages that files belong to, by name and version, each once.
 * @param inputs as the bundler has them, from the folder; those outside of packages are left out
 * @throws Error when a package says nothing about its licence
 */
export function packagesOf(folder: string, inputs: readonly string[]): BundledPackage[] {
  const inPackages = inputs.filter((path) => path.includes("node_modules/"));
  const homes = new Set(inPackages.map((path) => homeOf(resolve(folder, path))));
  return sorted([...homes].map(readPackage));
}

/**
 * Installed packages by their names.
 * @throws Error when one is not installed, or says nothing about its licence
 */
export function packagesNamed(folder: string, names: readonly string[]): BundledPackage[] {
  return sorted(
    names.map((name) => {
      const home = join(folder, "node_modules", name);
      if (!existsSync(home)) throw new Error(`${name} is not installed`);
      return readPackage(home);
    }),
  );
}

function sorted(packages: BundledPackage[]): BundledPackage[] {
  const keyOf = ({ name, version }: BundledPackage) => `${name}@${version}`;
  const found = new Map(packages.map((one) => [keyOf(one), one]));
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** Of the innermost package, as packages may have packages of their own. */
function homeOf(path: string): string {
  const [home] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path) ?? [];
  if (home === undefined) throw new Error(`${path} belongs to no package`);
  return home;
}

function readManifest(home: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
}

function readPackage(home: string): BundledPackage {
  const { name, version, license, dependencies } = readManifest(home);
  const files = readdirSync(home).filter((file) => /^(licen[cs]e|notice|copying)\b/i.test(file));
  if (files.length === 0 && typeof license !== "string") {
    throw new Error(`${name} has no licence`);
  }
  return {
    name: String(name),
    version: String(version),
    license: typeof license === "string" ? license : "",
    texts: files.sort().map((file) => readFileSync(join(home, file), "utf8").trim()),
    needs: Object.keys(
      typeof dependencies === "object" && dependencies !== null ? dependencies : {},
    ),
  };
}
