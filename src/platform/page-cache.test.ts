import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasPrograms } from "../e2e/harness/other-runtime.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { forgetCached } from "./page-cache.ts";

const WHAT = "that a backup is proven from the disk, not from memory";
/** Beside the tests: what the system has for passing files may lie in memory for good. */
const PLACE = join(import.meta.dir, "..", "..", "node_modules");

test.each(hasPrograms(WHAT, ["fincore"]) ? ["fincore"] : [])(
  "nothing of a file is in memory (%s) once its copy is to be forgotten",
  async (fincore) => {
    const folder = mkdtempSync(join(PLACE, ".fiscald-cache-"));
    try {
      const file = join(folder, "file");
      writeFileSync(file, Buffer.alloc(1_048_576, 7));
      const bytesInMemory = async () =>
        Number((await runToEnd([fincore, "-b", "-n", "-o", "RES", file], { cwd: "/" })).out);
      expect(await bytesInMemory()).toBe(1_048_576);
      await forgetCached(file);
      expect(await bytesInMemory()).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
