/** That every text of the portal stands in the words, in every language, and is used. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "@typescript/typescript6";
import bg from "./bg.json";
import en from "./en.json";
import { createFormat } from "./format.ts";
import { phrase } from "./phrase.ts";
import ro from "./ro.json";

const PORTAL = join(import.meta.dir, "..");
const LANGUAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = { en, ro, bg };

/** Attributes that people read or hear. */
const SPOKEN =
  /^(title|alt|label|placeholder|description|text|word|action|note|aria-label|aria-description)$/;
const LETTERS = /\p{L}{2,}/u;

const sources = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(PORTAL)]
  .filter((path) => !path.includes(".test.") && !path.startsWith("journeys/"))
  .map((path) => ({ path, text: readFileSync(join(PORTAL, path), "utf8") }));

const baseOf = (key: string): string => key.replace(/#.*$/, "");
const partsOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, part = ""]) => part).sort();
/** Texts of one entry differ in nothing that is filled in, whatever their number. */
const entriesOf = (language: string, base: string): [string, string][] =>
  Object.entries(LANGUAGES[language] ?? {}).filter(([key]) => baseOf(key) === base);

/** Texts in the code that stand between tags or in attributes that people read. */
function strayTexts(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isJsxText(node) && LETTERS.test(node.text);
    const isSpoken =
      ts.isJsxAttribute(node) &&
      SPOKEN.test(node.name.getText()) &&
      node.initializer !== undefined &&
      ts.isStringLiteral(node.initializer) &&
      // A word's key is no text.
      !Object.hasOwn(en, node.initializer.text);
    const isChild =
      ts.isJsxExpression(node) &&
      !ts.isJsxAttribute(node.parent) &&
      node.expression !== undefined &&
      ts.isStringLiteralLike(node.expression) &&
      LETTERS.test(node.expression.text) &&
      // The product is called the same everywhere.
      node.expression.text !== "fiscald";
    if (isText || isSpoken || isChild) found.push(`${path}: ${node.getText().trim()}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe("the words", () => {
  test.each(["ro", "bg"])("of %s are the same as in English, with the same blanks", (language) => {
    const bases = (name: string) => [...new Set(Object.keys(LANGUAGES[name] ?? {}).map(baseOf))];
    expect(bases(language).sort()).toEqual(bases("en").sort());
    for (const base of bases("en")) {
      const blanks = new Set(
        [...entriesOf("en", base), ...entriesOf(language, base)]
          .filter(([key]) => !key.endsWith("#one"))
          .map(([, text]) => `${base}: ${partsOf(text)}`),
      );
      expect([...blanks]).toHaveLength(1);
    }
  });

  test.each(Object.keys(LANGUAGES))("of %s have each number that the language has", (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const counted = new Set(
      Object.keys(LANGUAGES[language] ?? {})
        .filter((key) => key.includes("#"))
        .map(baseOf),
    );
    for (const base of counted) {
      const keys = entriesOf(language, base).map(([key]) => key);
      expect(keys.sort()).toEqual(forms.map((form) => `${base}#${form}`).sort());
    }
  });

  test("of Romanian put no thing straight after a number that may need another ending", () => {
    // 20 and more take "de": 48 de caractere. Where the key has no forms, the number stands alone.
    const counted = /\{(count|max|columns)\} (?!din )\p{L}/u;
    const wrong = Object.entries(ro)
      .filter(([key, text]) => !key.includes("#") && counted.test(text))
      .map(([key]) => key);
    // A password's least length is fixed, and below 20.
    expect(wrong).toEqual(["setup.owner.passwordText"]);
  });

  test.each(Object.entries(LANGUAGES))("of %s stand in order, none empty", (_, entries) => {
    expect(Object.keys(entries)).toEqual(Object.keys(entries).sort());
    expect(Object.values(entries).filter((text) => text.trim() !== text || text === "")).toEqual(
      [],
    );
  });

  test("are all used", () => {
    const code = sources.map(({ text }) => text).join("\n");
    const isUsed = (base: string) => {
      if (code.includes(`"${base}"`)) return true;
      // A word that is made of a state's name: t(`state.${type}`), with what may follow.
      const parts = base.split(".");
      return parts.some((_, at) => code.includes(`\`${parts.slice(0, at + 1).join(".")}.\${`));
    };
    const unused = [...new Set(Object.keys(en).map(baseOf))].filter((base) => !isUsed(base));
    expect(unused).toEqual([]);
  });

  test("are the only texts of the pages", () => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap(({ path, text }) => strayTexts(path, text))).toEqual([]);
  });

  test.each([
    ["between tags", "<p>Hello there</p>"],
    ["in an attribute that is read", '<img alt="A picture" />'],
    ["in braces", '<p>{"Hello there"}</p>'],
  ])("are missed %s", (_, markup) => {
    expect(strayTexts("x.tsx", `const x = ${markup};`)).toHaveLength(1);
  });
});

describe("a phrase", () => {
  const entries = {
    "a#one": "{count} bon",
    "a#few": "{count} bonuri",
    "a#other": "{count} de bonuri",
  };
  test.each([
    [1, "1 bon"],
    [2, "2 bonuri"],
    [1_200, "1.200 de bonuri"],
  ])("counts %d as the language does", (count, text) => {
    expect(phrase({ entries, locale: "ro-RO" }, "a", { count })).toBe(text);
  });

  test("is filled in, and keeps what nothing is given for", () => {
    const source = { entries: { b: "{name} at {time}" }, locale: "en-GB" };
    expect(phrase(source, "b", { name: "Ana" })).toBe("Ana at {time}");
  });
});

test("a word of Romanian is not parted at its hyphen, and a name is written as it is", () => {
  const entries = { a: "S-a tipărit într-un loc, cu antetul X-Service-Signature, la {name}." };
  expect(phrase({ entries, locale: "ro-RO" }, "a", { name: "Cafe-bar" })).toBe(
    "S\u2011a tipărit într\u2011un loc, cu antetul X-Service-Signature, la Cafe-bar.",
  );
});

test.each(["en-GB", "ro-RO", "bg-BG"])(
  "dates in %s take no second line in a narrow row",
  (locale) => {
    const format = createFormat({ locale, timezone: "Europe/Sofia", currency: undefined });
    const at = "2026-01-15T06:12:00Z";
    const { date, time, exactTime, dateTime, dateTimeToSecond, duration } = format;
    const { calendarDate, month, day, calendarDay } = format;
    const texts = [date, time, exactTime, dateTime, dateTimeToSecond].map((one) => one(at));
    texts.push(calendarDate("2026-01-15"), month("2026-01-01"), duration(5_400_000));
    for (const text of texts) expect(text).not.toContain(" ");
    // Only a weekday may stand above its date.
    for (const text of [day(at), calendarDay("2026-01-15")]) {
      expect(text).toMatch(/^\p{L}+,? [^ ]+$/u);
    }
  },
);

test("money of Romania is called what shops there call it, and by its code elsewhere", () => {
  const shop = { timezone: "Europe/Bucharest", currency: "RON" };
  const [romanian, english] = ["ro-RO", "en-GB"].map((locale) => createFormat({ locale, ...shop }));
  expect(romanian?.money(1234.5)).toBe("1.234,50\u00a0lei");
  expect(romanian?.money(1, "EUR")).toBe("1,00\u00a0EUR");
  expect(english?.money(1234.5)).toBe("RON\u00a01,234.50");
  expect([romanian, english].map((one) => one?.currency("RON"))).toEqual(["lei", "RON"]);
});

test.each([
  ["en-GB", 0, "0 secs"],
  ["en-GB", 59_999, "59 secs"],
  ["en-GB", 451_000, "7 mins"],
  ["en-GB", 5_400_000, "1 hr 30 mins"],
  ["en-GB", 7_200_000, "2 hrs"],
  ["en-GB", 129_600_000, "1 day 12 hrs"],
  ["bg-BG", 5_400_000, "1 ч 30 мин"],
  ["ro-RO", 187_200_000, "2 zile 4 ore"],
])("in %s, %d ms is %s", (locale, ms, text) => {
  const { duration } = createFormat({ locale, timezone: "UTC", currency: undefined });
  expect(duration(ms).replaceAll("\u00a0", " ")).toBe(text);
});
