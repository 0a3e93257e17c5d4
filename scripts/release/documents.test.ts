import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { placeDocuments, placeFirstPage } from "./documents.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-documents-"));
  placeDocuments(join(folder, "doc"));
  placeFirstPage(folder, "doc");
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (name: string) => readFileSync(join(folder, name), "utf8");

test("no document of a release leads to a file that it does not have", () => {
  const dead = [...new Bun.Glob("**/*.md").scanSync({ cwd: folder })].flatMap((name) => {
    const links = [...read(name).matchAll(/(?:\]\(|<img src=")(?![a-z]+:|#)([^()\s#"]+)/g)];
    return links
      .map(([, target = ""]) => target)
      .filter((target) => !existsSync(join(folder, dirname(name), target)))
      .map((target) => `${name}: ${target}`);
  });
  expect(dead).toEqual([]);
});

test("the words of a link that leads nowhere stay, and all other links", () => {
  expect(read("doc/docs/conformance.md")).toContain(
    "| load-config.test.ts: the names of a setting",
  );
  expect(read("doc/docs/watching.md")).toContain("(decisions in `src/platform/counted-time.ts`)");
  expect(read("doc/docs/commands.md")).toContain("[watching.md](watching.md)");
});

test("the first page stands where a release is unpacked, and leads to the others", () => {
  expect(read("README.md")).toStartWith("# fiscald\n");
  expect(read("README.md")).toContain("](doc/docs/install.md)");
  expect(read("README.md")).toContain('<img src="doc/docs/portal.png"');
});
