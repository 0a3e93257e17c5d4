/**
 * Packs the client for npm: bun scripts/pack-client.ts writes dist/fiscald-client-<version>.tgz
 *
 * One JavaScript file and the types beside it, with what they need inside: the package depends on
 * nothing, and installs without a network.
 */

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../package.json";
import { packArchive } from "./archive.ts";
import { packagesNamed } from "./bundled-packages.ts";
import { licensesOf } from "./licenses.ts";

const ROOT = join(import.meta.dir, "..");
const CLIENT = join(ROOT, "src", "client");
const DIST = join(ROOT, "dist");
const NAME = "fiscald-client";

const MANIFEST = {
  name: NAME,
  version,
  description: "Typed client of the fiscald gateway: submits receipts so that each is printed once",
  license: "Apache-2.0",
  type: "module",
  sideEffects: false,
  engines: { node: ">=20.3" },
  exports: { ".": { types: "./types/index.d.ts", default: "./index.js" } },
};

/** The packages inside, and where their types are. */
const BUNDLED = {
  "openapi-fetch": "dist/index.d.ts",
  "openapi-typescript-helpers": "dist/index.d.ts",
} as const;

/** @param folder where the archive is put @returns its path */
export async function packClient(folder: string): Promise<string> {
  const staging = mkdtempSync(join(tmpdir(), "fiscald-client-"));
  try {
    const home = join(staging, "package");
    mkdirSync(home);
    await buildClient(home);
    mkdirSync(folder, { recursive: true });
    const archive = join(folder, `${NAME}-${version}.tgz`);
    return await packArchive(archive, { folder: staging, name: "package" });
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Puts all that the package consists of into a folder. */
async function buildClient(home: string): Promise<void> {
  await Bun.write(join(home, "package.json"), `${JSON.stringify(MANIFEST, null, 2)}\n`);
  for (const name of ["README.md", "LICENSE"]) copyFileSync(join(CLIENT, name), join(home, name));
  const packages = packagesNamed(ROOT, Object.keys(BUNDLED));
  await Bun.write(join(home, "LICENSES.txt"), licensesOf(packages));
  await Bun.build({
    entrypoints: [join(CLIENT, "index.ts")],
    outdir: home,
    target: "browser",
    format: "esm",
    banner: "// SPDX-License-Identifier: Apache-2.0 AND MIT",
    throw: true,
  });
  await buildTypes(join(home, "types"));
}

/** The declarations, and beside them those that they name. */
async function buildTypes(types: string): Promise<void> {
  const compiler = Bun.spawn(
    [
      ...[process.execPath, join(ROOT, "node_modules", "typescript", "bin", "tsc")],
      ...["-p", join(CLIENT, "tsconfig.client.json"), "--outDir", types],
      ...["--noEmit", "false", "--declaration", "--emitDeclarationOnly"],
    ],
    { stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  );
  const said = await new Response(compiler.stdout).text();
  if ((await compiler.exited) !== 0) throw new Error(`the client has faults:\n${said}`);
  for (const [name, path] of Object.entries(BUNDLED)) {
    copyFileSync(join(ROOT, "node_modules", name, path), join(types, `${name}.d.ts`));
  }
  for (const name of readdirSync(types)) await nameNeighbours(join(types, name));
}

/** In place of the packages: their declarations. @throws Error when one is not there */
async function nameNeighbours(path: string): Promise<void> {
  const text = await Bun.file(path).text();
  const named = text.replace(/\bfrom (["'])([^"'.][^"']*)\1/g, (_whole, _quote, name: string) => {
    if (!Object.hasOwn(BUNDLED, name)) throw new Error(`${path} needs ${name}`);
    return `from "./${name}.js"`;
  });
  await Bun.write(path, named.replace(/\bfrom "(\.\/[^"]+)\.ts"/g, 'from "$1.js"'));
}

if (import.meta.main) console.log(`packed ${await packClient(DIST)}`);
