/**
 * Makes a release of the last commit: bun scripts/release.ts [--key FILE] [--out FOLDER]
 *
 * Archives, Debian packages and the client, with their digests in SHA256SUMS, go to dist/release.
 * Two runs on one commit give the same bytes. With a secret key of minisign each is signed, and
 * what is installed checks updates with the public key. `--public-key` alone makes the bytes of a
 * signed release again, to compare them. `--prove` tries everything instead: see release/prove.ts.
 */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { RUNTIMES, sumsOf } from "./release/contents.ts";
import { publicKeyText, readSecretKey, type SecretKey, signFile } from "./release/sign.ts";
import { type Commit, commitOf, layOut, run, uncommitted } from "./release/tree.ts";

const ROOT = join(import.meta.dir, "..");

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

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      key: { type: "string" },
      "public-key": { type: "string" },
      out: { type: "string", default: join(ROOT, "dist", "release") },
    },
  });
  const dirty = await uncommitted();
  if (dirty !== "") console.error(`not in the release, because it is not committed:\n${dirty}`);
  const { key, "public-key": publicKey } = values;
  const out = resolve(values.out);
  const names = await release({
    ...{ out, commit: await commitOf("HEAD") },
    ...(key === undefined ? {} : { secretKey: readSecretKey(key) }),
    ...(publicKey === undefined ? {} : { publicKey: resolve(publicKey) }),
  });
  for (const name of names) {
    console.log(`${name} (${(Bun.file(join(out, name)).size / 2 ** 20).toFixed(1)} MiB)`);
  }
}
