/** What a release holds beside the executable, for archive and Debian package alike. */

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Architecture } from "../build.ts";
import { build } from "../build.ts";
import { packagesOf } from "../bundled-packages.ts";
import { licensesOfExecutable } from "../licenses.ts";
import { placeDocuments, placeFirstPage } from "./documents.ts";
import { digestsIn, inventory } from "./sbom.ts";

const ROOT = join(import.meta.dir, "../..");
const LOCKS = ["bun.lock", "scripts/release/runtimes/bun.lock"] as const;

/** The package that the runtime of each architecture comes as; the lock file pins its bytes. */
export const RUNTIMES = {
  // Bun's build for every processor of 64 bits, those without AVX2 too.
  x64: "@oven/bun-linux-x64-baseline",
  arm64: "@oven/bun-linux-aarch64",
} as const satisfies Record<Architecture, string>;

/** What is packed, of what, and when it was made. */
export interface Packing {
  readonly version: string;
  readonly architecture: Architecture;
  /** Path of the runtime of that architecture. */
  readonly runtime: string;
  readonly commit: string;
  /** Time of that commit in Unix seconds: the time of everything inside. */
  readonly epoch: number;
  /** The file of the key that updates are checked with; none when absent. */
  readonly publicKey: string | undefined;
}

/** Name of the archive without its ending, and of the folder in it. */
export function releaseName({ version, architecture }: Packing): string {
  return `fiscald-${version}-linux-${architecture}`;
}

/** Fills an empty folder with what a release consists of. */
export async function fillFolder(folder: string, packing: Packing): Promise<void> {
  const { architecture, runtime } = packing;
  const { inputs } = await build({ architecture, runtime, outfile: join(folder, "fiscald") });
  for (const name of readdirSync(join(ROOT, "systemd"))) {
    copyFileSync(join(ROOT, "systemd", name), join(folder, name));
  }
  placeDocuments(join(folder, "doc"));
  placeFirstPage(folder, "doc");
  const packages = packagesOf(ROOT, inputs);
  writeFileSync(join(folder, "LICENSES.txt"), licensesOfExecutable(readRoot("LICENSE"), packages));
  const digests = new Map(LOCKS.flatMap((lock) => [...digestsIn(readRoot(lock))]));
  const bom = inventory({
    ...{ ...packing, packages, digests },
    runtime: { name: RUNTIMES[architecture], version: Bun.version },
  });
  writeFileSync(join(folder, "sbom.cdx.json"), bom);
  if (packing.publicKey !== undefined) {
    copyFileSync(packing.publicKey, join(folder, "release.pub"));
  }
  writeFileSync(join(folder, "SHA256SUMS"), await sumsOf(folder));
}

/** The digests of all files in a folder, as `sha256sum -c` takes them. */
export async function sumsOf(folder: string, algorithm: "sha256" | "md5" = "sha256") {
  const paths = [...new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true })].sort();
  const lines: string[] = [];
  for (const path of paths) {
    const hasher = new Bun.CryptoHasher(algorithm).update(
      await Bun.file(join(folder, path)).bytes(),
    );
    lines.push(`${hasher.digest("hex")}  ${path}\n`);
  }
  return lines.join("");
}

function readRoot(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
