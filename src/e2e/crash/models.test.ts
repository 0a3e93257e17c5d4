import { expect, test } from "bun:test";
import { basename, join } from "node:path";
import { DRIVER_IDS } from "#core/driver-id.ts";
import { GATE_MODELS, nameOf, SHARDS } from "./models.ts";

test("each shard has its test file, and each driver a shard", async () => {
  const running: string[] = [];
  for (const path of new Bun.Glob("*.test.ts").scanSync(import.meta.dir)) {
    const [, shard] =
      /describeCrashes\("([^"]+)"\);/.exec(await Bun.file(join(import.meta.dir, path)).text()) ??
      [];
    if (shard === undefined) continue;
    expect(basename(path, ".test.ts")).toBe(shard);
    running.push(shard);
  }
  expect(running.sort()).toEqual(Object.keys(SHARDS).sort());
  expect(new Set(GATE_MODELS.map(({ driver }) => driver))).toEqual(new Set(DRIVER_IDS));
  expect(new Set(GATE_MODELS.map(nameOf)).size).toBe(GATE_MODELS.length);
});
