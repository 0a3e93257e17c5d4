/**
 * Packs a release: bun scripts/release.ts writes dist/fiscald-<version>-linux-<arch>.tar.gz and the
 * client, dist/fiscald-client-<version>.tgz, each with its checksum.
 */

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { dependencies, version } from "../package.json";
import { packArchive } from "./archive.ts";
import { build, currentArchitecture } from "./build.ts";
import { collectLicenses } from "./licenses.ts";
import { packClient } from "./pack-client.ts";

const ROOT = join(import.meta.dir, "..");
const DIST = join(ROOT, "dist");

/** Built with, but its files are inside the executable. */
const BUNDLED_TOOLS = ["swagger-ui-dist"];

/** Builds the executable and packs it with all that an installation needs. @returns the archive */
async function release(): Promise<string> {
  const name = `fiscald-${version}-linux-${currentArchitecture()}`;
  const staging = join(DIST, name);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  await build({ outfile: join(staging, "fiscald") });
  for (const file of [
    "install.sh",
    "fiscald.service",
    "fiscald-controller.service",
    "controller.env",
  ]) {
    copyFileSync(join(ROOT, "systemd", file), join(staging, file));
  }
  copyFileSync(join(ROOT, "README.md"), join(staging, "README.md"));
  const packages = [...Object.keys(dependencies), ...BUNDLED_TOOLS];
  writeFileSync(join(staging, "LICENSES.txt"), collectLicenses({ folder: ROOT, packages }));
  const archive = await packArchive(`${staging}.tar.gz`, { folder: DIST, name });
  rmSync(staging, { recursive: true });
  return archive;
}

for (const archive of [await release(), await packClient(DIST)]) {
  const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(archive).bytes());
  writeFileSync(`${archive}.sha256`, `${digest.digest("hex")}  ${basename(archive)}\n`);
  console.log(`packed ${archive} (${(Bun.file(archive).size / 2 ** 20).toFixed(1)} MiB)`);
}
