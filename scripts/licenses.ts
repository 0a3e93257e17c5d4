/** The licences of everything that is bundled into what is released. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where the licences start: run-time dependencies, and what is bundled though only built with. */
export interface LicenseRoots {
  /** The folder with package.json and node_modules. */
  readonly folder: string;
  readonly packages: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: readonly string[];
  readonly optionalDependencies: readonly string[];
}

const RUNTIME_NOTE = `The executable contains the Bun runtime, version ${Bun.version}: MIT, with JavaScriptCore and WebKit
parts under the LGPL 2 and further parts as listed at https://bun.sh/docs/project/license.
`;

const BETWEEN = `\n${"=".repeat(80)}\n\n`;

/**
 * What the executable contains: the runtime, and the packages as `licensesOf` has them.
 * @throws Error when a package says nothing about its licence
 */
export function collectLicenses(roots: LicenseRoots): string {
  return [RUNTIME_NOTE, licensesOf(roots)].join(BETWEEN);
}

/**
 * The licence texts of the packages and all they depend on, in one text.
 * @throws Error when a package says nothing about its licence
 */
export function licensesOf({ folder, packages }: LicenseRoots): string {
  const found = new Map<string, string>();
  const visit = (name: string, from: string, isOptional: boolean): void => {
    const home = findPackage(name, from);
    if (home === undefined) {
      // A native part of another platform is not installed, and not bundled either.
      if (isOptional) return;
      throw new Error(`${name}, needed by ${from}, is not installed`);
    }
    if (found.has(home)) return;
    const manifest = readManifest(home);
    found.set(home, describe(manifest, home));
    for (const needed of manifest.dependencies) visit(needed, home, false);
    for (const needed of manifest.optionalDependencies) visit(needed, home, true);
  };
  for (const name of packages) visit(name, folder, false);
  return [...found.values()].sort().join(BETWEEN);
}

/** Looks a package up as the module loader does: in each node_modules on the way up. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const home = join(folder, "node_modules", name);
    if (existsSync(join(home, "package.json"))) return home;
    if (folder === dirname(folder)) return undefined;
  }
}

function readManifest(home: string): Manifest {
  const raw: Record<string, unknown> = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  return {
    name: String(raw.name),
    version: String(raw.version),
    license: typeof raw.license === "string" ? raw.license : "",
    dependencies: namesIn(raw.dependencies),
    // A peer that is installed may be bundled; one that is not cannot be.
    optionalDependencies: [...namesIn(raw.optionalDependencies), ...namesIn(raw.peerDependencies)],
  };
}

function namesIn(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

function describe({ name, version, license }: Manifest, home: string): string {
  const files = readdirSync(home).filter((file) => /^(licen[cs]e|notice|copying)\b/i.test(file));
  if (files.length === 0 && license === "") throw new Error(`${name} has no licence`);
  const texts = files.sort().map((file) => readFileSync(join(home, file), "utf8").trim());
  const text =
    texts.length > 0 ? texts.join("\n\n") : `(the package names its licence: ${license})`;
  return `${name} ${version} (${license || "see below"})\n\n${text}\n`;
}
