import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectLicenses } from "./licenses.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-licenses-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function placePackage(path: string, manifest: object, license?: string): void {
  const home = join(folder, path);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ version: "1.0.0", ...manifest }));
  if (license !== undefined) writeFileSync(join(home, "LICENSE.md"), license);
}

describe("the collected licences", () => {
  test("hold those of packages that only packages need", () => {
    const needs = { dependencies: { b: "1" } };
    placePackage("node_modules/a", { name: "a", license: "MIT", ...needs }, "text of a");
    placePackage("node_modules/a/node_modules/b", { name: "b", license: "ISC" }, "text of b");
    const text = collectLicenses({ folder, packages: ["a"] });
    expect(text).toContain("a 1.0.0 (MIT)\n\ntext of a");
    expect(text).toContain("b 1.0.0 (ISC)\n\ntext of b");
    expect(text).toContain("Bun runtime");
  });

  test("leave out native parts of other platforms", () => {
    const needs = { optionalDependencies: { "a-darwin": "1" } };
    placePackage("node_modules/a", { name: "a", license: "MIT", ...needs }, "text of a");
    expect(collectLicenses({ folder, packages: ["a"] })).not.toContain("darwin");
  });

  test("cannot be made without a package, or for one that tells no licence", () => {
    expect(() => collectLicenses({ folder, packages: ["a"] })).toThrow("not installed");
    placePackage("node_modules/a", { name: "a" });
    expect(() => collectLicenses({ folder, packages: ["a"] })).toThrow("a has no licence");
  });
});
