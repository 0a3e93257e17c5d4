/** The table of rules keeps to what it says of itself. */

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { createApiBench } from "../../src/modules/testing/api-bench.ts";
import { HEADINGS } from "./headings.ts";
import { conformancePage, PAGE } from "./page.ts";
import { isShown, SPECIFICATIONS } from "./rule.ts";
import { SECTIONS } from "./sections.ts";
import { testFinder, testTitles, WITHIN } from "./test-titles.ts";

const ROOT = join(import.meta.dir, "..", "..");
const RULES = SECTIONS.flatMap(({ rules }) => rules);
const SHOWN = RULES.filter(isShown);

const readRepositoryFile = (path: string): string => readFileSync(join(ROOT, path), "utf8");

describe("the table of rules", () => {
  test("stands on its page as it is", () => {
    // `bun scripts/conformance.ts` writes the page anew.
    expect(readRepositoryFile(PAGE) === conformancePage(SECTIONS)).toBe(true);
  });

  test("names tests that there are", () => {
    const named = [...new Set(SHOWN.flatMap(({ by }) => by))];
    const paths = new Set(named.map(pathOf));
    const missing = [...paths].flatMap((path) => {
      const own = named.filter((name) => pathOf(name) === path);
      if (!existsSync(join(ROOT, path))) return own;
      const isThere = testFinder(readRepositoryFile(path));
      return own.filter((name) => !isThere(name.slice(path.length + WITHIN.length)));
    });
    expect(missing).toEqual([]);
    expect(SHOWN.filter(({ by }) => by.length === 0).map(({ id }) => id)).toEqual([]);
  });

  test("has a section for each of the specifications, in their order", () => {
    for (const specification of SPECIFICATIONS) {
      const own = SECTIONS.filter(({ of }) => of === specification);
      expect(own.map(({ title }) => title)).toEqual([...HEADINGS[specification]]);
    }
    expect(SECTIONS.filter(({ rules }) => rules.length === 0)).toEqual([]);
  });

  test("gives each rule a number of its own, below its section's code", () => {
    for (const { code, rules } of SECTIONS) {
      const wrong = rules.filter(({ id }) => !/^\d{2,3}$/.test(id.replace(`${code}-`, "")));
      expect(wrong).toEqual([]);
    }
    expect(twice(SECTIONS.map(({ code }) => code))).toEqual([]);
    expect(twice(RULES.map(({ id }) => id))).toEqual([]);
  });

  test("says each thing once", () => {
    expect(twice(RULES.map(({ rule }) => rule))).toEqual([]);
  });

  test("speaks of every route of the OpenAPI document, and of no other", async () => {
    const bench = createApiBench();
    const Paths = Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()));
    const { paths } = (await bench.client.get("/api/v1/openapi.json")).as(
      Type.Object({ paths: Paths }),
    );
    bench.close();
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const spoken = new Set(SHOWN.flatMap(({ rule }) => routesIn(rule)));
    expect(documented.filter((route) => !spoken.has(route))).toEqual([]);
    const absent = [...spoken].filter((route) => !documented.includes(route));
    expect(absent).toEqual([]);
  });
});

function pathOf(name: string): string {
  return name.slice(0, name.indexOf(WITHIN));
}

/** The routes that a rule names, as the OpenAPI document names them. */
function routesIn(rule: string): string[] {
  return [...rule.matchAll(/`([A-Z]+) (\/[^`?]*)/g)].map(
    ([, method, path]) => `${method} /api/v1${path}`,
  );
}

function twice(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

describe("the titles of a test file", () => {
  const titles = (...lines: string[]) => testTitles(lines.join("\n"));

  test("stand behind those of what encloses them", () => {
    expect(
      titles(
        'describe("a", () => {',
        '  test("one", () => {});',
        '  describe("b", () => {',
        "    test(",
        '      "two, \\"quoted\\"",',
        "      async () => {},",
        "    );",
        "  });",
        '  test.concurrent("three", () => {});',
        "});",
        'test("four", () => {});',
      ),
    ).toEqual(["a > one", 'a > b > two, "quoted"', "a > three", "four"]);
  });

  test("are as they are written where they run for many cases", () => {
    expect(
      titles(
        "describe.each(KINDS)(`on ${kind}`, () => {",
        '  test.each(["a)(b", "c"])("takes %p", () => {});',
        "  test.each([",
        '    ["x", f(1)],',
        '  ] as const)("refuses %s", () => {});',
        "  test.concurrent.each(LONG)(",
        '    "waits for $name",',
        "    () => {},",
        "  );",
        "  test(title, () => {});",
        "});",
      ),
    ).toEqual([
      "on ${kind} > takes %p",
      "on ${kind} > refuses %s",
      "on ${kind} > waits for $name",
      "on ${kind} > <title>",
    ]);
  });

  test("may be followed by a case that stands in the file", () => {
    const isThere = testFinder(`
test.each([["no paper", 5]])("refuses %s", () => {});
`);
    expect(isThere("refuses %s")).toBe(true);
    expect(isThere("refuses %s [no paper]")).toBe(true);
    expect(isThere("refuses %s [no power]")).toBe(false);
    expect(isThere("takes %s [no paper]")).toBe(false);
  });

  test("can all be read, else the line is told", () => {
    expect(() => titles("", 'test("a" + b, () => {});')).toThrow("line 2");
  });
});
