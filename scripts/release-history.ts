/**
 * Keeps what a version leaves behind, for the test that later versions read it: bun run release-history
 *
 * Runs the executable of this commit through a small shop's history and writes its database and what
 * has to be known of it to db/testdata. Once for each release, on its commit: docs/release.md.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { writeHistory } from "#src/e2e/released/history.ts";
import { VERSION } from "#src/version.ts";

const FOLDER = join(import.meta.dir, "../db/testdata");
const place = join(FOLDER, `fiscald-${VERSION}`);
if (existsSync(`${place}.db.gz`)) {
  throw new Error(`${place}.db.gz is there: what a release left behind is never made anew`);
}
mkdirSync(FOLDER, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "fiscald-history-"));
try {
  const file = join(folder, "history.db");
  const { facts, empty } = await writeHistory(file);
  const packed = gzipSync(readFileSync(file), { level: 9 });
  writeFileSync(`${place}.db.gz`, packed);
  writeFileSync(`${place}.json`, `${JSON.stringify({ version: VERSION, ...facts }, null, 2)}\n`);
  console.log(
    `${place}.db.gz: ${packed.length} bytes, ${Object.keys(facts.commands).length} commands`,
  );
  console.log(`states: ${[...new Set(Object.values(facts.commands))].sort().join(", ")}`);
  console.log(`tables without a row: ${empty.join(", ") || "none"}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
