/** The licences of everything that is inside what is released, as one text. */

import type { BundledPackage } from "./bundled-packages.ts";

const RUNTIME_NOTE = `The executable contains the Bun runtime, version ${Bun.version}: MIT, with JavaScriptCore and WebKit
parts under the LGPL 2 and further parts as listed at https://bun.sh/docs/project/license.
`;

const BETWEEN = `\n${"=".repeat(80)}\n\n`;

/**
 * What the executable contains: our own code, the runtime, and packages.
 * @param own the text of our licence
 */
export function licensesOfExecutable(own: string, packages: readonly BundledPackage[]): string {
  return [own, RUNTIME_NOTE, licensesOf(packages)].join(BETWEEN);
}

/** The licence texts of packages. */
export function licensesOf(packages: readonly BundledPackage[]): string {
  return packages.map(describe).join(BETWEEN);
}

function describe({ name, version, license, texts }: BundledPackage): string {
  const text =
    texts.length > 0 ? texts.join("\n\n") : `(the package names its licence: ${license})`;
  return `${name} ${version} (${license || "see below"})\n\n${text}\n`;
}
