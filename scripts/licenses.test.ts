import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { license } from "../package.json";
import { packagesNamed, packagesOf } from "./bundled-packages.ts";
import { keptHandbook } from "./handbook.ts";
import { licensesOfExecutable } from "./licenses.ts";
import { keptPortal } from "./portal.ts";
import { DOCUMENTS } from "./release/documents.ts";

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
    const text = licensesOfExecutable("our own terms", found);
    expect(found.map(({ name }) => name)).toEqual(["@s/b", "a"]);
    expect(text).toStartWith("our own terms\n====");
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

describe("our own licences", () => {
  const read = (path: string) => readFileSync(join(import.meta.dir, "..", path), "utf8");

  test("are named by the package, and go with a release", () => {
    expect(license).toBe("SEE LICENSE IN LICENSE");
    expect(read("README.md")).toContain("[LICENSE](LICENSE)");
    for (const path of [
      "LICENSE",
      "src/client/LICENSE",
      "docs",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
    ]) {
      expect(DOCUMENTS).toContain(path);
    }
  });

  test("give client and examples under the Apache licence, as each file of an example says", () => {
    expect(read("src/client/LICENSE")).toContain("Apache License");
    expect(read("docs/examples/LICENSE")).toBe(read("src/client/LICENSE"));
    const folder = join(import.meta.dir, "../docs/examples");
    for (const file of new Bun.Glob("*.{ts,py,cs,php}").scanSync(folder)) {
      expect({ file, text: read(`docs/examples/${file}`).slice(0, 200) }).toEqual({
        file,
        text: expect.stringContaining("SPDX-License-Identifier: Apache-2.0"),
      });
    }
  });

  test("are those of the pages too, which the executable carries compressed", async () => {
    const sites = [await keptPortal(), await keptHandbook()];
    const found = sites.map(({ packaged }) =>
      packagesOf(join(import.meta.dir, ".."), packaged).map(({ name }) => name),
    );
    expect(found[0]).toContain("react");
    expect(found[0]).toContain("@mantine/core");
    expect(found[1]).toEqual(["minisearch"]);
  });
});
