/** What the documentation names, there is: commands, settings, routes, pages. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { AUDIT_ACTIONS } from "#core/audit.ts";
import { COMMAND_TYPES } from "#core/command/catalogue.ts";
import { ALERT_TYPES } from "#core/device/alerts.ts";
import { EVENT_SCOPES } from "#core/events.ts";
import { createProgram } from "#src/cli/program.ts";
import { SETTING_KEYS } from "#src/config.ts";
import { pageName, pageSources } from "./handbook/sources.ts";

const ROOT = join(import.meta.dir, "..");

interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const PAGES: readonly Page[] = [
  "README.md",
  "docs/**/*.md",
  "drivers/README.md",
  "src/**/README.md",
]
  .flatMap((glob) => [...new Bun.Glob(glob).scanSync(ROOT)])
  .sort()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

/** Code between backticks, on one line each. */
function spansOf({ text }: Page): string[] {
  const prose = text.replace(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code.replace(/\s+/g, " "));
}

/** Lines of shell in fenced blocks, with those that a backslash continues. */
function shellLinesOf({ text }: Page): string[] {
  return [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].flatMap(([, code = ""]) =>
    code.replace(/\\\n/g, " ").split("\n"),
  );
}

/** Each call of fiscald in a piece of code, as its words. */
function callsIn(code: string): string[][] {
  const uncommented = code.replace(/(^|\s)#.*$/, "");
  return [...uncommented.matchAll(/(?<![-\w/.@])(?<!-u )(?:dist\/)?fiscald((?: +[^\s|;&<>)]+)+)/g)]
    .map(([, words = ""]) => words.trim().split(/ +/))
    .filter(([first = ""]) => /^[a-z][a-z-]+$/.test(first));
}

/** What is wrong with a call; undefined when there is such a command with such options. */
function callFault(program: Command, words: readonly string[]): string | undefined {
  let command = program;
  let depth = 0;
  for (; depth < words.length; depth += 1) {
    const next = command.commands.find((one) => one.name() === words[depth]);
    if (next === undefined) break;
    command = next;
  }
  if (depth === 0 || command.commands.length > 0) {
    // A command that has others may stand alone, as the name of all of them.
    if (depth === 0 || words.length > depth) return `no command ${words.join(" ")}`;
  }
  const known = new Set(command.options.map(({ long }) => long));
  const unknown = words
    .slice(depth)
    .map((word) => /^--[a-z][a-z-]*/.exec(word)?.[0])
    .find((option) => option !== undefined && option !== "--help" && !known.has(option));
  return unknown && `${words.slice(0, depth).join(" ")} has no option ${unknown}`;
}

test("the commands and options of fiscald that the pages show", async () => {
  const program = await createProgram([]);
  const faults: string[] = [];
  let calls = 0;
  for (const page of PAGES) {
    for (const words of [...spansOf(page), ...shellLinesOf(page)].flatMap(callsIn)) {
      calls += 1;
      const fault = callFault(program, words);
      if (fault !== undefined) faults.push(`${page.path}: ${fault}`);
    }
  }
  expect(calls).toBeGreaterThan(150);
  expect(faults).toEqual([]);
});

/** A dot has other uses: names of files, and of events and audited actions. */
const IS_FILE = /\.(pem|key|json|toml|db|md|ts|service|conf|pub|rules|reserve|lock)$/;

test("the settings that the pages name", () => {
  const groups = new Set(SETTING_KEYS.map((key) => key.split(".")[0]));
  const known = new Set<string>([...SETTING_KEYS, ...Object.keys(EVENT_SCOPES), ...AUDIT_ACTIONS]);
  const faults = PAGES.flatMap((page) =>
    spansOf(page)
      .filter((code) => /^[a-z]+\.[a-z][A-Za-z]+$/.test(code) && groups.has(code.split(".")[0]))
      .filter((code) => !known.has(code) && !IS_FILE.test(code))
      .map((code) => `${page.path}: ${code}`),
  );
  expect(faults).toEqual([]);
});

test("the command types that the pages name", () => {
  const kind = /^(print|get|set|void|cash|open|raw|x|z|non_fiscal|delete)_[a-z_]+$/;
  const known: ReadonlySet<string> = new Set([...COMMAND_TYPES, ...Object.keys(ALERT_TYPES)]);
  const faults = PAGES.flatMap((page) =>
    spansOf(page)
      .filter((code) => kind.test(code) && !known.has(code))
      .map((code) => `${page.path}: ${code}`),
  );
  expect(faults).toEqual([]);
});

/** The control port of a simulated printer has routes of its own. */
const OF_THE_CONTROL_PORT = /^(GET|POST) \/(fault|books|paper|live|power|clear|release|$)/;

/** Method and path of each route, parameters as `{}`. */
function routes(): ReadonlySet<string> {
  const types = readFileSync(join(ROOT, "src/client/api-types.ts"), "utf8");
  const found = new Set<string>();
  let path = "";
  for (const line of types.split("\n")) {
    path = /^ {4}"(\/[^"]*)": \{$/.exec(line)?.[1] ?? path;
    const method = /^ {8}(get|put|post|delete|patch): /.exec(line)?.[1];
    if (method !== undefined)
      found.add(`${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, "{}")}`);
  }
  return found;
}

test("the routes that the pages name with their method", () => {
  const known = routes();
  expect(known.size).toBeGreaterThan(80);
  const named = /^(GET|PUT|POST|DELETE|PATCH) (?:\/api\/v1)?(\/[^\s?]*)/;
  const faults = PAGES.flatMap((page) =>
    spansOf(page).flatMap((code) => {
      const [, method, path = ""] = named.exec(code) ?? [];
      if (method === undefined) return [];
      if (page.path === "docs/simulator.md" && OF_THE_CONTROL_PORT.test(code)) return [];
      const route = path.replace(/\{[^}]*\}|\b(?:dev|cmd|rct)_[A-Z0-9.]+|:[a-zA-Z]+/g, "{}");
      const isKnown = [`${method} ${route}`, `${method} /api/v1${route}`].some((one) =>
        known.has(one),
      );
      return isKnown ? [] : [`${page.path}: ${method} ${path}`];
    }),
  );
  expect(faults).toEqual([]);
});

test("the pages of the handbook that portal and API link to", () => {
  const known = new Set(pageSources().map(pageName));
  const linked = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(ROOT)]
    .filter((path) => !/\.test\.|\/testing\//.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      return [...text.matchAll(/(?<![\w.])\/docs\/([a-z][\w.-]*)/g)].map(([, name = ""]) => ({
        ...{ path, name },
      }));
    });
  expect(linked.length).toBeGreaterThan(2);
  expect(linked.filter(({ name }) => !known.has(name))).toEqual([]);
});
