/** Packs a release: bun scripts/release.ts writes dist/fiscald-<version>-linux-<arch>.tar.gz */

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dependencies, version } from "../package.json";
import { build, currentArchitecture } from "./build.ts";
import { collectLicenses } from "./licenses.ts";

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
  for (const file of ["install.sh", "fiscald.service"]) {
    copyFileSync(join(ROOT, "systemd", file), join(staging, file));
  }
  copyFileSync(join(ROOT, "README.md"), join(staging, "README.md"));
  const packages = [...Object.keys(dependencies), ...BUNDLED_TOOLS];
  writeFileSync(join(staging, "LICENSES.txt"), collectLicenses({ folder: ROOT, packages }));
  const archive = `${staging}.tar.gz`;
  await pack(archive, name);
  rmSync(staging, { recursive: true });
  const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(archive).bytes());
  writeFileSync(`${archive}.sha256`, `${digest.digest("hex")}  ${name}.tar.gz\n`);
  return archive;
}

/** The same input gives the same archive: fixed order, owners and times. */
async function pack(archive: string, name: string): Promise<void> {
  const epoch = process.env.SOURCE_DATE_EPOCH ?? "0";
  const owners = ["--owner=0", "--group=0", "--numeric-owner"];
  const args = ["--sort=name", `--mtime=@${epoch}`, ...owners, "--use-compress-program=gzip -9n"];
  const tar = Bun.spawn(["tar", ...args, "-C", DIST, "-cf", archive, name], {
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  const code = await tar.exited;
  if (code !== 0) throw new Error(`tar ended with ${code}`);
}

const archive = await release();
console.log(`packed ${archive} (${(Bun.file(archive).size / 2 ** 20).toFixed(1)} MiB)`);
