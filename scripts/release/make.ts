/** Makes a release: everything of one commit, with digests and signatures. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RUNTIMES, sumsOf } from "./contents.ts";
import { publicKeyText, type SecretKey, signFile } from "./sign.ts";
import { type Commit, layOut, run } from "./tree.ts";

export interface ReleaseOptions {
  readonly commit: Commit;
  /** The folder that is filled; what was in it is removed. */
  readonly out: string;
  readonly secretKey?: SecretKey;
  /** File of the public key that goes into the archives; the secret key's own unless given. */
  readonly publicKey?: string;
  readonly architectures?: readonly string[];
  /** Done to the files of the commit first. */
  readonly change?: (folder: string) => void;
}

/** @returns the names of the files that were made */
export async function release(options: ReleaseOptions): Promise<string[]> {
  const { commit, out, secretKey, architectures = Object.keys(RUNTIMES) } = options;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const keys = mkdtempSync(join(tmpdir(), "fiscald-key-"));
  const tree = await layOut(commit, options.change);
  try {
    const own = secretKey === undefined ? undefined : join(keys, "release.pub");
    if (own && secretKey) writeFileSync(own, publicKeyText(secretKey));
    const publicKey = options.publicKey ?? own;
    for (const architecture of architectures) {
      await run(
        [
          ...[process.execPath, "scripts/release/pack.ts", "--arch", architecture, "--out", out],
          ...["--commit", commit.id, "--epoch", String(commit.epoch)],
          ...(publicKey === undefined ? [] : ["--public-key", publicKey]),
        ],
        tree.folder,
      );
    }
    writeFileSync(join(out, "SHA256SUMS"), await sumsOf(out));
    const { version } = await Bun.file(join(tree.folder, "package.json")).json();
    for (const name of secretKey === undefined ? [] : readdirSync(out)) {
      await signFile(join(out, name), secretKey as SecretKey, `fiscald ${version} ${name}`);
    }
  } finally {
    tree.remove();
    rmSync(keys, { recursive: true });
  }
  return readdirSync(out).sort();
}
