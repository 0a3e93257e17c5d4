/**
 * Makes a release of the last commit: bun scripts/release.ts [--key FILE] [--out FOLDER]
 *
 * Archives, Debian packages and the client, with their digests in SHA256SUMS, go to dist/release.
 * Two runs on one commit give the same bytes. With a secret key of minisign each is signed, and
 * what is installed checks updates with the public key. `--public-key` alone makes the bytes of a
 * signed release again, to compare them. `--prove` tries everything instead, `--prove --only STEP` a
 * part of it: see release/prove.ts.
 */

import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { release } from "./release/make.ts";
import { prove } from "./release/prove.ts";
import { readSecretKey } from "./release/sign.ts";
import { commitOf, uncommitted } from "./release/tree.ts";

const ROOT = join(import.meta.dir, "..");

const { values } = parseArgs({
  options: {
    prove: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    key: { type: "string" },
    "public-key": { type: "string" },
    out: { type: "string", default: join(ROOT, "dist", "release") },
  },
});
const dirty = await uncommitted();
if (dirty !== "") console.error(`not in the release, because it is not committed:\n${dirty}`);
if (values.prove) {
  await prove(values.only);
  process.exit(0);
}
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
