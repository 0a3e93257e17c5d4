import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PORTAL = join(import.meta.dir, "..");

test("every form of the portal says itself what it lacks, and leaves no bubble to the browser", () => {
  const files = [...new Bun.Glob("**/*.tsx").scanSync(PORTAL)];
  const own = files.filter((path) => readFileSync(join(PORTAL, path), "utf8").includes("<form"));
  expect(own).toEqual([join("parts", "form.tsx")]);
});
