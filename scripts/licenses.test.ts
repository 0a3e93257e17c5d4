import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packagesNamed, packagesOf } from "./bundled-packages.ts";
import { licensesOfExecutable } from "./licenses.ts";

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
  test("are those of the packages that files were taken from, each once", () => {
    placePackage("node_modules/a", { name: "a", license: "MIT" }, "text of a");
    placePackage("node_modules/a/node_modules/@s/b", { name: "@s/b", license: "ISC" }, "text of b");
    placePackage("node_modules/unused", { name: "unused" });
    const inputs = ["x.js", "y/z.js"].map((path) => `node_modules/a/${path}`);
    const found = packagesOf(folder, [
      ...["src/main.ts", "node_modules/a/node_modules/@s/b/index.js"],
      ...inputs,
    ]);
    const text = licensesOfExecutable(found);
    expect(found.map(({ name }) => name)).toEqual(["@s/b", "a"]);
    expect(text).toContain("a 1.0.0 (MIT)\n\ntext of a");
    expect(text).toContain("@s/b 1.0.0 (ISC)\n\ntext of b");
    expect(text).toContain("Bun runtime");
  });

  test("cannot be made without a package, or for one that tells no licence", () => {
    expect(() => packagesNamed(folder, ["a"])).toThrow("not installed");
    placePackage("node_modules/a", { name: "a" });
    expect(() => packagesNamed(folder, ["a"])).toThrow("a has no licence");
  });
});
