/**
 * Packs the tree that it lies in, for one architecture: a step of scripts/release.ts, which gives it
 * a tree that holds the files of one commit and nothing else.
 */

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../package.json";
import { packArchive } from "../archive.ts";
import { requireArchitecture } from "../build.ts";
import { packClient } from "../pack-client.ts";
import { fillFolder, type Packing, RUNTIMES, releaseName } from "./contents.ts";
import { packDeb } from "./deb.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    ...{ arch: { ...text, default: "" }, out: { ...text, default: "" } },
    ...{ commit: { ...text, default: "" }, epoch: { ...text, default: "0" } },
    "public-key": text,
  },
});

const architecture = requireArchitecture(values.arch);
const packing: Packing = {
  ...{ version, architecture, commit: values.commit, epoch: Number(values.epoch) },
  runtime: join(import.meta.dir, "runtimes/node_modules", RUNTIMES[architecture], "bin/bun"),
  publicKey: values["public-key"],
};
process.env.SOURCE_DATE_EPOCH = values.epoch;
mkdirSync(values.out, { recursive: true });
const name = releaseName(packing);
const staging = join(values.out, name);
rmSync(staging, { recursive: true, force: true });
mkdirSync(staging);
await fillFolder(staging, packing);
await packArchive(`${staging}.tar.gz`, { folder: values.out, name });
await packDeb(staging, packing, values.out);
rmSync(staging, { recursive: true });
// It is the same for all.
if (architecture === "x64") await packClient(values.out);
