/** Every command and snippet of the documentation, tried as its page says: docs/develop.md#snippets. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scripts } from "../../package.json";
import { loadConfig } from "../../src/config/load-config.ts";
import { hasPrograms } from "../../src/e2e/harness/other-runtime.ts";
import { callFault } from "./command-line.ts";
import { ApiDocument, samplesOf } from "./json-samples.ts";
import { fiscaldCalls, shellWords } from "./shell-words.ts";
import { SnippetShop } from "./snippet-shop.ts";
import { markFault, placeOf, readInlineCode, readSnippets, type Snippet } from "./snippets.ts";
import { ROOT } from "./sources.ts";

const SNIPPETS = readSnippets();
const ofLanguage = (...languages: readonly string[]): Snippet[] =>
  SNIPPETS.filter(({ language }) => languages.includes(language));

test("every snippet says how it is tried", () => {
  expect(SNIPPETS.length).toBeGreaterThan(50);
  expect(SNIPPETS.map(markFault).filter((fault) => fault !== undefined)).toEqual([]);
});

/** What each throws, with the place of the snippet. */
function faultsOf(snippets: readonly Snippet[], check: (snippet: Snippet) => void): string[] {
  return snippets.flatMap((snippet) => {
    try {
      check(snippet);
      return [];
    } catch (error) {
      return [`${placeOf(snippet)}: ${error}`];
    }
  });
}

describe("what the pages say of fiscald's command line", () => {
  test("exists, in blocks", async () => {
    const calls = ofLanguage("sh").flatMap(({ content }) => fiscaldCalls(content));
    expect(calls.length).toBeGreaterThan(10);
    const faults = await Promise.all(calls.map((call) => callFault(call, { isMention: false })));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  test("exists, in lines of text", async () => {
    const calls = readInlineCode().flatMap(({ content }) => fiscaldCalls(content));
    expect(calls.length).toBeGreaterThan(50);
    const faults = await Promise.all(calls.map((call) => callFault(call, { isMention: true })));
    expect([...new Set(faults.filter((fault) => fault !== undefined))]).toEqual([]);
  });
});

test("what the pages say of this repository's scripts exists", () => {
  const texts = [...SNIPPETS, ...readInlineCode()].map(({ content }) => content);
  const named = texts.flatMap((text) => [
    ...[...text.matchAll(/\bbun(?:@[\d.]+)? run ([a-z][a-z-]*)/g)].map(([, name = ""]) => name),
    ...[...text.matchAll(/\bbun (?:run )?((?:scripts|src|docs)\/[\w./-]+\.ts)/g)].map(
      ([, path = ""]) => path,
    ),
  ]);
  expect(named.length).toBeGreaterThan(20);
  const isThere = (name: string) => name in scripts || existsSync(join(ROOT, name));
  expect([...new Set(named.filter((name) => !isThere(name)))]).toEqual([]);
});

describe("samples", () => {
  test("of settings are taken as settings", () => {
    const folder = mkdtempSync(join(tmpdir(), "fiscald-toml-"));
    const file = join(folder, "fiscald.toml");
    const faults = faultsOf(ofLanguage("toml"), ({ content }) => {
      writeFileSync(file, content);
      const environment = { STATE_DIRECTORY: folder };
      loadConfig({ flags: new Map(), file }, { environment, pid: 0 });
    });
    rmSync(folder, { recursive: true });
    expect(ofLanguage("toml").length).toBeGreaterThan(3);
    expect(faults).toEqual([]);
  });

  test("of JSON are what the API's document says", async () => {
    const document = await ApiDocument.open();
    const faults = faultsOf(ofLanguage("json"), ({ content, marks }) => {
      for (const value of samplesOf(content)) {
        const found = [
          ...(marks.body === undefined ? [] : document.bodyFaults(marks.body, value)),
          ...(marks.answer === undefined ? [] : document.answerFaults(marks.answer, value)),
          ...(marks.schema === undefined ? [] : document.schemaFaults(marks.schema, value)),
        ];
        if (found.length > 0) throw new Error(found.join("; "));
      }
    });
    expect(faults).toEqual([]);
  });

  test("of YAML and of programs can be read", () => {
    const yaml = faultsOf(ofLanguage("yaml"), ({ content }) => Bun.YAML.parse(content));
    const programs = faultsOf(ofLanguage("ts", "js", "tsx"), ({ content, language, marks }) => {
      // Parts of something else are no programs.
      if (language === "tsx" && marks.unrun !== undefined) return;
      new Bun.Transpiler({ loader: "ts" }).scan(content);
    });
    expect([...yaml, ...programs]).toEqual([]);
  });
});

/** Blocks of a page that are one script. */
interface Script {
  readonly name: string;
  readonly text: string;
  readonly kind: "box" | "alone" | "module";
  /** What its output has to have in it. */
  readonly says: readonly string[];
}

/** In the order of the pages; those of one page and name together. */
function scriptsOf(snippets: readonly Snippet[]): Script[] {
  const scripts = new Map<string, Snippet[]>();
  for (const snippet of snippets) {
    const { marks, source, language } = snippet;
    const { needs } = marks;
    const isHere = needs === undefined || hasPrograms(placeOf(snippet), needs.split(" "));
    if (marks.run === undefined || !isHere) continue;
    const name = `${source}, ${language} run=${marks.run}`;
    scripts.set(name, [...(scripts.get(name) ?? []), snippet]);
  }
  return [...scripts].map(([name, parts]) => ({
    name,
    text: parts.map(textOf).join("\n"),
    kind: kindOf(parts[0]),
    says: parts.flatMap(({ marks: { says } }) => (says === undefined ? [] : [says])),
  }));
}

/** A block that may end with other codes than 0 names them all: `ends="0 1"`. */
function textOf({ content, marks: { ends } }: Snippet): string {
  if (ends === undefined) return content;
  const codes = ends.replaceAll(" ", "|");
  return `set +e\n${content}\ncode=$?\nset -e\ncase $code in ${codes}) ;; *) exit $code ;; esac\n`;
}

function kindOf(first: Snippet | undefined): Script["kind"] {
  if (first?.language === "ts") return "module";
  return first?.marks.run === "box" ? "box" : "alone";
}

describe("commands", () => {
  let shop: SnippetShop;
  beforeAll(async () => {
    shop = await SnippetShop.open();
  });
  afterAll(() => shop?.close());

  test.each(scriptsOf(SNIPPETS))("of $name work", async ({ kind, text, says }) => {
    const run = {
      box: () => shop.runAtBox(text),
      alone: () => shop.runAlone(text),
      module: () => shop.runModule(text),
    };
    const { output, code } = await run[kind]();
    // With its output, where it is another.
    if (code !== 0) throw new Error(`ended with ${code}:\n${output}`);
    // curl is content with any answer.
    expect(output).not.toMatch(/"error": ?\{/);
    for (const words of says) expect(output).toContain(words);
  });
});

describe("a shell's line", () => {
  test.each([
    ["fiscald status --json | jq .", [["status", "--json"]]],
    ["sudo -u fiscald fiscald key list > keys  # all", [["key", "list"]]],
    [
      "echo 'a b' | dist/fiscald setup --shop 'Corner Shop' \\\n  --plan pro &",
      [["setup", "--shop", "Corner Shop", "--plan", "pro"]],
    ],
    ["A=1 fiscald serve", [["serve"]]],
    ["fiscald trace <printer> --last 9 > file", [["trace", "<printer>", "--last", "9"]]],
    ["fiscald update fiscald-<version>.tar.gz", [["update", "fiscald-<version>.tar.gz"]]],
    ["fiscald update <file", [["update"]]],
    ["curl http://fiscald:8080", []],
    ["sudo systemctl stop fiscald", []],
  ])("%p calls fiscald so", (line, calls) => {
    expect(fiscaldCalls(line)).toEqual(calls);
  });

  test("has words in quotes as one", () => {
    expect(shellWords(`-d '{ "a": 1 }' "$b"`)).toEqual(["-d", '{ "a": 1 }', "$b"]);
  });
});

describe("the command line", () => {
  test.each([
    [["statsu"], "no command statsu"],
    [["status", "--jsn"], "no option --jsn"],
    [["key", "crate"], "no command crate"],
    [["serve", "--http-listen"], "argument missing"],
    [["restore"], "takes 1"],
  ])("of %p is wrong: %s", async (words, fault) => {
    expect(await callFault(words, { isMention: false })).toContain(fault);
  });

  test.each([
    [["status", "--help"]],
    [["key", "create", "--label", "x"]],
    [["<command>", "--help"]],
  ])("of %p is right", async (words) => {
    expect(await callFault(words, { isMention: false })).toBeUndefined();
  });
});

describe("a block", () => {
  const block = (language: string, marks: Record<string, string>, content = "x"): Snippet => ({
    ...{ source: "docs/tls.md", line: 7, language, marks, content },
  });

  test.each([
    [block("sh", {}), "say how it is tried"],
    [block("sh", { run: "box", unrun: "why" }), "say how it is tried"],
    [block("sh", { answer: "GET /x" }), "answer= says nothing of sh"],
    [block("", {}, "fiscald status"), "are a block of `sh`"],
    [block("rust", {}), "by=, unrun="],
    [block("sh", { by: "src/none.test.ts" }), "there is no test"],
    [block("sh", { by: "src/tidy.test.ts" }), "does not name the page"],
  ])("is not let pass: %#", (snippet, fault) => {
    expect(markFault(snippet)).toContain(fault);
    expect(markFault(snippet)).toStartWith("docs/tls.md:7: ");
  });
});
